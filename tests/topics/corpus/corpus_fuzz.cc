// Any bytes opened as a corpus: an InputError, or one in which nothing points outside.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/data/model_fuzz.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/corpus/read_corpus.h"

namespace {

using namespace trellis;
using namespace trellis::topics;
using testing::require;

void use(const Corpus& corpus) {
  const Documents& documents = corpus.documents();
  Index tokens = 0;
  for (Index d = 0; d < documents.size(); ++d) {
    for (const std::uint32_t word : documents[d]) require(word < corpus.words().size());
    tokens += documents[d].size();
    for (const auto& [labels, names] : {std::pair(corpus.labels(), corpus.label_names()),
                                        std::pair(corpus.languages(), corpus.language_names())}) {
      if (!labels.empty() && labels[d] != kNoLabel) {
        require(static_cast<Index>(labels[d]) < names.size());
      }
    }
    require(!corpus.has_ids() || d < corpus.ids().size());
  }
  require(tokens == documents.num_tokens());
  Tokenizer tokenizer(corpus.text());
  tokenizer.tokenize("the sea, the wind", [](std::string_view) {});
  const std::string again = corpus.to_bytes();
  const Corpus same = Corpus::from_bytes(std::as_bytes(std::span(again)), "again");
  require(same.num_empty() == corpus.num_empty());
  const NameList words(corpus.words(), "fuzz");
  require(in_words_of(words, corpus).tally().outside == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(
      data, size, [](std::span<const std::byte> bytes) { use(Corpus::from_bytes(bytes, "fuzz")); });
  return 0;
}
