// Any bytes are values of the variables, or an InputError; which have figures.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/factors/judge_file.h"

namespace {

using namespace trellis;
using namespace trellis::factors;

constexpr std::string_view kGraphs =
    "domain weather rain sun\nvar w weather =rain\nvar u switch =on\n\nvar v weather ?\n";

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const FactorsScores found =
        judge_file(InputFile::from_bytes(kGraphs, "graphs"), InputFile::from_bytes(bytes, "fuzz"));
    require(found.variables().total == 2 && found.variables().right <= 2);
  } catch (const InputError&) {
  }
  return 0;
}
