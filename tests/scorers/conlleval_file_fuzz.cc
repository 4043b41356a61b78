// Any bytes are conlleval's input, or an InputError; the figures are percentages. The first byte
// chooses the options.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/scorers/conlleval_file.h"

namespace {

using namespace trellis;
using namespace trellis::tag;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  ConllevalOptions options;
  options.raw = (data[0] & 1) != 0;
  if ((data[0] & 2) != 0) options.outside = "N";
  if ((data[0] & 4) != 0) options.delimiter = "\t";
  try {
    const SpanMetrics metrics = read_conlleval(InputFile::from_bytes(bytes, "fuzz"), options);
    require(metrics.num_correct_tokens() <= metrics.num_tokens());
    require(metrics.conlleval().starts_with("processed "));
    require(metrics.conlleval_latex().ends_with("\\hline\n"));
  } catch (const InputError&) {
  }
  return 0;
}
