// Any bytes loaded as a model of factor graphs: an InputError, or a model that can be asked
// everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/factors/factors_model.h"

namespace {

using namespace trellis;
using namespace trellis::factors;
using testing::require;

void use(const FactorsModel& model) {
  require(model.weights().size() == model.features().dimension());
  for (Index k = 0; k < model.weights().size(); ++k) model.features().weight_name(k);
  const std::string bytes = model.to_bytes();
  const FactorsModel again = FactorsModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  require(again.to_bytes() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(FactorsModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
