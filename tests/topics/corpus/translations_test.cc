#include "trellis/topics/corpus/translations.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/corpus/corpus_builder.h"

namespace trellis::topics::translations_test {
namespace {

struct Named {
  std::string id;
  std::string language;
};

Corpus corpus_of(const std::vector<Named>& documents) {
  CorpusBuilder builder{VocabularyOptions{}};
  for (const Named& document : documents) {
    builder.add("word");
    builder.end_document({document.id, "", document.language});
  }
  return builder.finish(TextOptions());
}

using Pairs = std::vector<TranslationPair>;

TEST(Translations, AreDocumentsOfOneIdInTwoLanguages) {
  const Corpus corpus = corpus_of(
      {{"b", "en"}, {"a", "fr"}, {"c", "en"}, {"b", "fr"}, {"a", "en"}, {"d", "pt"}, {"b", "pt"}});
  const Translations translations(corpus, "t");
  EXPECT_EQ(translations.pairs(0, 1), (Pairs{{0, 3}, {4, 1}}));  // ids as they first occur
  EXPECT_EQ(translations.pairs(1, 0), (Pairs{{3, 0}, {1, 4}}));
  EXPECT_EQ(translations.pairs(0, 2), (Pairs{{0, 6}}));
  EXPECT_EQ(translations.pairs(1, 2), (Pairs{{3, 6}}));
}

TEST(Translations, AreThoseOfLookingAtAllPairs) {
  Random random(3, 4);
  const std::vector<std::string> languages = {"en", "fr", "pt"};
  std::vector<Named> documents;
  for (Index id = 0; id < 50; ++id) {
    for (const std::string& language : languages) {
      if (random.below(3) > 0) documents.push_back({"n" + std::to_string(id), language});
    }
  }
  for (Index i = documents.size(); i > 1; --i)
    std::swap(documents[i - 1], documents[random.below(i)]);
  const Corpus corpus = corpus_of(documents);
  const Translations translations(corpus, "t");
  for (Label a = 0; a < 3; ++a) {
    for (Label b = 0; b < 3; ++b) {
      if (a == b) continue;
      Pairs expected;
      for (Index i = 0; i < documents.size(); ++i) {
        for (Index j = 0; j < documents.size(); ++j) {
          if (corpus.languages()[i] == a && corpus.languages()[j] == b &&
              documents[i].id == documents[j].id) {
            expected.push_back({i, j});
          }
        }
      }
      Pairs found = translations.pairs(a, b);
      std::sort(found.begin(), found.end(),
                [](const auto& x, const auto& y) { return x.first < y.first; });
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Translations, AreNoneWithoutAnIdOrALanguage) {
  const Translations some(corpus_of({{"", "en"}, {"", "fr"}, {"a", "en"}, {"a", ""}}), "t");
  EXPECT_TRUE(some.pairs(0, 1).empty());
  const Translations none(corpus_of({{"", "en"}, {"", "fr"}}), "t");
  EXPECT_TRUE(none.pairs(0, 1).empty());
}

TEST(Translations, HaveEachIdOnceInALanguage) {
  try {
    const Translations twice(corpus_of({{"a", "en"}, {"b", "fr"}, {"a", "fr"}, {"b", "fr"}}),
                             "t.tsv");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "t.tsv: expected one document of each id in the language fr, found two of \"b\"");
  }
}

}  // namespace
}  // namespace trellis::topics::translations_test
