// Any bytes are classes of the documents, or topics, or an InputError; which have figures. The
// first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/topics/output/judge_file.h"

namespace {

using namespace trellis;
using namespace trellis::topics;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto file = [&] { return InputFile::from_bytes(bytes, "fuzz"); };
  const Corpus corpus = testing::two_subjects(2);
  CoherenceOptions options;
  options.convention = static_cast<CoherenceConvention>((data[0] >> 1) % 3);
  try {
    if ((data[0] & 1) != 0) {
      const TopicCoherence found = judge_topics(corpus, file(), options);
      require(found.npmi.size() == found.umass.size() && !found.to_text().empty());
    } else {
      require(judge_classes(corpus, file(), "documents").scores.num_examples() == 2);
    }
  } catch (const InputError&) {
  }
  return 0;
}
