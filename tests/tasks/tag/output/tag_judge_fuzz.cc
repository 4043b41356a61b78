// Any bytes are labels of the sentences, or an InputError; which have figures. The first byte
// chooses the form of the truth.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/data/json.h"
#include "trellis/tasks/tag/output/judge_file.h"

namespace {

using namespace trellis;
using namespace trellis::tag;

constexpr std::string_view kColumns = "a B-X\nb O\n\nc B-Y\n";
constexpr std::string_view kItems = "x\tf\ny\tg\n\nx\th\n";

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const bool items = (data[0] & 1) != 0;
  JudgeOptions options;
  if (items) options.format = InputFormat::kItems;
  if ((data[0] & 2) != 0) options.label_column = 0;
  options.comments = static_cast<Comments>((data[0] >> 2) % 3);
  options.max_sentences = 2;
  try {
    const Evaluation found = judge_file(InputFile::from_bytes(items ? kItems : kColumns, "truth"),
                                        InputFile::from_bytes(bytes, "fuzz"), options);
    require(found.scores.num_sequences() == 2 && !to_json(found.record()).empty());
  } catch (const InputError&) {
  }
  return 0;
}
