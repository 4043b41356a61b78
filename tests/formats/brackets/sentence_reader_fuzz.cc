// Any bytes are sentences, or an InputError; a sentence has words, and no word a bracket or a
// blank. The first byte chooses the format.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/formats/brackets/sentence_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  using namespace trellis::grammar;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  SentenceOptions options;
  if ((data[0] & 3) == 1) options.format = SentenceFormat::kTokens;
  if ((data[0] & 3) == 2) options.format = SentenceFormat::kTrees;
  try {
    SentenceReader reader(InputFile::from_bytes(bytes, "fuzz"), options);
    Sentence sentence;
    while (reader.read(sentence)) {
      testing::require(!sentence.words.empty() && sentence.line > 0);
      for (const std::string& word : sentence.words) {
        testing::require(!word.empty() && word.find_first_of("() \t\n") == std::string::npos);
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
