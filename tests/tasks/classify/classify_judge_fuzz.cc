// Any bytes are labels of the documents, or an InputError; which have figures. The first byte says
// whether documents have ids.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/data/json.h"
#include "trellis/tasks/classify/judge_file.h"

namespace {

using namespace trellis;
using namespace trellis::classify;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const bool ids = (data[0] & 1) != 0;
  const std::string_view truth = ids ? "1\ta\tsome text\n2\tb\tmore\n" : "a\tsome text\nb\tmore\n";
  try {
    const Evaluation found = judge_file(InputFile::from_bytes(truth, "truth"),
                                        InputFile::from_bytes(bytes, "fuzz"), {"", 1});
    require(found.scores.num_examples() == 2 && !to_json(found.record(3)).empty());
  } catch (const InputError&) {
  }
  return 0;
}
