// Any bytes are states of the sequences, or an error that says so; which have figures. The first
// byte chooses the form.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/tables/hmm/evaluate.h"

namespace {

using namespace trellis;
using namespace trellis::hmm;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const bool csv = (data[0] & 1) != 0;
  EvaluateOptions options;
  options.columns.format = csv ? SequenceFormat::kCsv : SequenceFormat::kColumns;
  if ((data[0] & 2) != 0) options.loss = "ring";
  const std::string_view truth = csv ? "o,s\nx,1\ny,2\n\nx,?\n" : "x 1\ny 2\n\nx ?\n";
  try {
    const Evaluation found = judge_file(InputFile::from_bytes(truth, "truth"),
                                        InputFile::from_bytes(bytes, "fuzz"), options);
    require(found.sequences == 2 && found.positions == 2 && !found.to_text().empty());
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
  return 0;
}
