#include "trellis/topics/corpus/word_languages.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/topics/corpus/corpus_builder.h"

namespace trellis::topics::word_languages_test {
namespace {

using Words = std::vector<std::string>;

Corpus corpus_of(const std::vector<std::pair<std::string, Words>>& documents) {
  CorpusBuilder builder{VocabularyOptions{}};
  for (const auto& [language, words] : documents) {
    for (const std::string& word : words) builder.add(word);
    builder.end_document({"", "", language});
  }
  return builder.finish(TextOptions());
}

std::string mostly(const Corpus& corpus, std::string_view word) {
  const WordLanguages languages = count_word_languages(corpus);
  const NameList words(corpus.words(), "corpus");
  const Label language = languages.mostly(words.find(word));
  return language == kNoLabel ? "-"
                              : std::string(corpus.language_names()[static_cast<Index>(language)]);
}

TEST(WordLanguages, CountWhereWordsOccur) {
  Random random(1, 2);
  const std::vector<std::string> names = {"", "en", "fr", "pt"};
  std::vector<std::pair<std::string, Words>> documents;
  std::map<std::pair<std::string, std::string>, std::uint64_t> expected;
  for (Index d = 0; d < 60; ++d) {
    documents.emplace_back(names[random.below(4)], Words());
    for (Index i = random.below(9); i > 0; --i) {
      documents.back().second.push_back("w" + std::to_string(random.below(12)));
      ++expected[{documents.back().second.back(), documents.back().first}];
    }
  }
  const Corpus corpus = corpus_of(documents);
  const WordLanguages found = count_word_languages(corpus);
  ASSERT_EQ(found.num_languages, 3u);
  ASSERT_EQ(found.num_words(), corpus.words().size());
  std::vector<std::uint64_t> totals(3);
  for (Index w = 0; w < found.num_words(); ++w) {
    for (Index l = 0; l < 3; ++l) {
      const std::pair key(std::string(corpus.words()[w]), std::string(corpus.language_names()[l]));
      EXPECT_EQ(found.of(w)[l], expected[key]);
      totals[l] += found.of(w)[l];
    }
  }
  EXPECT_EQ(found.totals, totals);
}

TEST(WordLanguages, AWordIsMostlyOfTheLanguageThatUsesItMostForItsSize) {
  // English is four times as long: "acquis" is more frequent there, and French all the same.
  const Corpus corpus =
      corpus_of({{"en", {"the", "the", "the", "the", "the", "law", "acquis", "acquis"}},
                 {"fr", {"acquis", "le"}},
                 {"", {"loose"}}});
  EXPECT_EQ(mostly(corpus, "acquis"), "fr");
  EXPECT_EQ(mostly(corpus, "law"), "en");
  EXPECT_EQ(mostly(corpus, "le"), "fr");
  EXPECT_EQ(mostly(corpus, "loose"), "-");
}

TEST(WordLanguages, OfEqualsTheFirst) {
  const Corpus corpus =
      corpus_of({{"fr", {"table", "mer", "mer"}}, {"en", {"table", "sea", "sea"}}});
  EXPECT_EQ(mostly(corpus, "table"), "fr");
}

TEST(WordLanguages, OfACorpusWithoutLanguagesAreNone) {
  const WordLanguages found = count_word_languages(corpus_of({{"", {"sea"}}}));
  EXPECT_EQ(found.num_languages, 0u);
  EXPECT_TRUE(found.counts.empty());
  EXPECT_EQ(found.mostly(0), kNoLabel);
}

}  // namespace
}  // namespace trellis::topics::word_languages_test
