// Any bytes are a table of costs, or an InputError; what is read are costs.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tables/value_costs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> values = {"north", "s2", "s10", "é"};
  try {
    const CostTable costs = generative::read_costs(InputFile::from_bytes(bytes, "fuzz"), values);
    testing::require(costs.num_labels() == values.size());
    for (Label y = 0; y < static_cast<Label>(values.size()); ++y) {
      for (const double cost : costs.row(y)) testing::require(cost >= 0 && std::isfinite(cost));
      testing::require(costs.row(y)[static_cast<Index>(y)] == 0);
    }
  } catch (const InputError&) {
  }
  return 0;
}
