#include "trellis/topics/lda/lda_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

// Every document has its own words, in its own cells, and `places` tells where.
void expect_the_same_tokens(const TinyCorpus& corpus, const LdaLayout& layout) {
  std::vector<std::uint32_t> words(corpus.tokens.size());
  for (Index d = 0; d < layout.num_documents(); ++d) {
    ASSERT_EQ(layout.begin(d, 0), layout.begin(d));
    for (Index b = 0; b < layout.num_blocks(); ++b) {
      for (Index i = layout.begin(d, b); i < layout.end(d, b); ++i) {
        const Index word = layout.word(i, b);
        ASSERT_LT(word, layout.first_word(b + 1));
        words[i] = layout.vocabulary()[word];
      }
    }
    std::vector<std::uint32_t> places;
    const auto document = corpus.documents()[d];
    layout.places(document, places);
    for (Index i = 0; i < document.size(); ++i) {
      ASSERT_EQ(words[layout.begin(d) + places[i]], document[i]);
    }
  }
  for (std::uint32_t word = 0; word < corpus.num_words; ++word) {
    ASSERT_EQ(layout.vocabulary()[layout.numbers()[word]], word);
  }
}

TEST(LdaLayout, CellsHaveTheTokensOfTheirDocumentsAndWords) {
  Random random(3);
  std::vector<std::vector<std::uint32_t>> texts(50);
  for (auto& text : texts) {
    for (Index i = random.below(40); i > 0; --i) {
      text.push_back(static_cast<std::uint32_t>(random.below(1 + random.below(60))));
    }
  }
  const TinyCorpus corpus = tiny_corpus(texts, 70);  // some words do not occur
  for (const Index blocks : {1U, 2U, 5U}) {
    const LdaLayout layout(corpus.documents(), blocks);
    EXPECT_EQ(layout.num_blocks(), blocks);
    expect_the_same_tokens(corpus, layout);
  }
}

TEST(LdaLayout, HasAsManyBlocksAsItsWordsNeed) {
  constexpr std::uint32_t kWords = 140000, kUnseen = 70000;
  std::vector<std::vector<std::uint32_t>> texts(3);
  for (std::uint32_t word = 0; word < kWords; ++word) texts[word % 3].push_back(word);
  // A word so frequent that its block would have no other, and the rest would be too many.
  texts[1].insert(texts[1].end(), kWords, 0U);
  const TinyCorpus corpus = tiny_corpus(texts, kWords + kUnseen);
  for (const Index blocks : {1U, 3U}) {
    const LdaLayout layout(corpus.documents(), blocks);
    EXPECT_EQ(layout.num_blocks(), 3U);
    expect_the_same_tokens(corpus, layout);
  }
}

TEST(LdaLayout, FillsBlocksToTheLastPlace) {
  constexpr std::uint32_t kWords = 2 * 65536, kUnseen = 5;
  std::vector<std::vector<std::uint32_t>> texts(1);
  for (std::uint32_t word = 0; word < kWords; ++word) texts[0].push_back(word);
  const TinyCorpus corpus = tiny_corpus(texts, kWords + kUnseen);
  const LdaLayout layout(corpus.documents(), 1);
  EXPECT_EQ(layout.num_blocks(), 2U);
  expect_the_same_tokens(corpus, layout);
}

}  // namespace
}  // namespace trellis::topics
