// Any bytes are a table of predicted values, or an error that says so; which has figures. The first
// byte chooses the options.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/tables/bayes/evaluate.h"

namespace {

using namespace trellis;
using namespace trellis::bayes;

constexpr std::string_view kTable = "a,b,c\nx,y,z\nx,?,u\n";

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  EvaluateOptions options;
  options.hide = std::vector<std::string>{"b", "c"};
  if ((data[0] & 1) != 0) options.loss = "ring";
  if ((data[0] & 2) != 0) options.delimiter = Delimiter::kComma;
  try {
    const Evaluation found = judge_file(InputFile::from_bytes(kTable, "table"),
                                        InputFile::from_bytes(bytes, "fuzz"), options);
    require(found.rows == 2 && found.cells == 3 && found.wrong <= 3 && !found.to_text().empty());
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
  return 0;
}
