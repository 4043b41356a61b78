// Any bytes are sentences that are written and read back as they were, or an InputError. The first
// byte chooses what is said of the format and asked of the heads.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/formats/treebank/treebank_writer.h"
#include "trellis/scorers/attachment_counts.h"
#include "trellis/scorers/ud_score.h"

namespace {

using namespace trellis;
using namespace trellis::parse;

void require(bool condition) {
  if (!condition) std::abort();
}

TreebankOptions options_of(std::uint8_t choice) {
  TreebankOptions options;
  if ((choice & 3) == 1) options.format = TreebankFormat::kConllx;
  if ((choice & 3) == 2) options.format = TreebankFormat::kConllu;
  options.heads = static_cast<Heads>((choice >> 2) & 3);
  options.max_words = 64;
  return options;
}

void forget_lines(std::vector<Sentence>& sentences) {
  for (Sentence& sentence : sentences) {
    sentence.line = 0;
    for (Word& word : sentence.words) word.line = 0;
  }
}

void score(const std::vector<Sentence>& sentences) {
  AttachmentCounts counts;
  UdTreebank treebank("t");
  for (const Sentence& sentence : sentences) {
    counts += attachment_counts(sentence, sentence, Punctuation::kScored);
    treebank.add(sentence);
  }
  require(sentences.empty() || counts.las() == 100);
  const UdScore ud = ud_score(treebank, treebank);
  require(sentences.empty() || ud[UdMeasure::kUas].correct == ud[UdMeasure::kWords].gold);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    TreebankOptions options = options_of(data[0]);
    TreebankReader reader(InputFile::from_bytes(bytes, "fuzz"), options);
    std::vector<Sentence> sentences;
    while (reader.read(sentences.emplace_back())) continue;
    sentences.pop_back();
    options.format = reader.format();
    const TreebankWriter writer(reader.format(), reader.num_columns());
    std::string out;
    for (const Sentence& sentence : sentences) writer.append(sentence, out);
    auto again = read_treebank(InputFile::from_bytes(out, "again"), options);
    forget_lines(sentences);
    forget_lines(again);
    require(again == sentences);
    if (options.heads >= Heads::kTree) score(sentences);
  } catch (const InputError&) {
  }
  return 0;
}
