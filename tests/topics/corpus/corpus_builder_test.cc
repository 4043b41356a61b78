// Documents and vocabulary against plain counting with maps.
#include "trellis/topics/corpus/corpus_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics::corpus_builder_test {
namespace {

using Document = std::vector<std::string>;

std::vector<Document> documents_of(const Corpus& corpus) {
  std::vector<Document> documents;
  for (Index d = 0; d < corpus.documents().size(); ++d) {
    documents.emplace_back();
    for (const std::uint32_t word : corpus.documents()[d]) {
      documents.back().emplace_back(corpus.words()[word]);
    }
  }
  return documents;
}

Corpus build(const std::vector<Document>& documents, CorpusBuilder builder) {
  for (const Document& document : documents) {
    for (const std::string& word : document) builder.add(word);
    builder.end_document({});
  }
  return builder.finish({});
}

// The words that remain, in their order.
std::vector<std::string> expected_words(const std::vector<Document>& documents,
                                        const VocabularyOptions& options) {
  std::map<std::string, std::set<Index>> homes;
  std::map<std::string, Index> tokens;
  for (Index d = 0; d < documents.size(); ++d) {
    for (const std::string& word : documents[d]) {
      homes[word].insert(d);
      ++tokens[word];
    }
  }
  std::vector<std::pair<long, std::string>> kept;
  for (const auto& [word, home] : homes) {
    const double share = static_cast<double>(home.size()) / static_cast<double>(documents.size());
    if (home.size() >= options.min_documents && share <= options.max_share) {
      kept.emplace_back(-static_cast<long>(tokens[word]), word);
    }
  }
  std::sort(kept.begin(), kept.end());
  std::vector<std::string> words;
  for (const auto& [count, word] : kept) words.push_back(word);
  if (options.max_words > 0 && words.size() > options.max_words) words.resize(options.max_words);
  return words;
}

TEST(CorpusBuilder, EqualsPlainCounting) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Document> documents(1 + random.below(8));
    for (Document& document : documents) {
      document.resize(random.below(7));
      for (std::string& word : document) {
        word = std::string(1, static_cast<char>('a' + std::min(random.below(9), random.below(9))));
      }
    }
    VocabularyOptions options;
    options.min_documents = 1 + random.below(3);
    options.max_share = 0.25 * static_cast<double>(1 + random.below(4));
    options.max_words = random.below(5);
    const Corpus corpus = build(documents, CorpusBuilder(options));

    const std::vector<std::string> words = expected_words(documents, options);
    ASSERT_EQ(corpus.words().size(), words.size());
    for (Index w = 0; w < words.size(); ++w) EXPECT_EQ(corpus.words()[w], words[w]);
    Index dropped = 0;
    Index empty = 0;
    for (Document& document : documents) {
      dropped += static_cast<Index>(std::erase_if(document, [&](const std::string& word) {
        return std::find(words.begin(), words.end(), word) == words.end();
      }));
      empty += document.empty() ? 1 : 0;
    }
    EXPECT_EQ(documents_of(corpus), documents);
    EXPECT_EQ(corpus.tally().outside, dropped);
    EXPECT_EQ(corpus.num_empty(), empty);
    EXPECT_EQ(corpus.documents().num_words, words.size());
  }
}

TEST(CorpusBuilder, CountsSharesExactly) {
  std::vector<Document> documents(100, Document{"all"});
  for (Index d = 0; d < 29; ++d) documents[d].emplace_back("some");
  VocabularyOptions options;
  options.max_share = 0.29;  // 0.29 · 100 is below 29
  const Corpus corpus = build(documents, CorpusBuilder(options));
  ASSERT_EQ(corpus.words().size(), 1u);
  EXPECT_EQ(corpus.words()[0], "some");
}

TEST(CorpusBuilder, KeepsToAVocabulary) {
  NameList known;
  known.add("b");
  known.add("a");
  const Corpus corpus = build({{"a", "c", "b", "a"}, {"c"}, {}}, CorpusBuilder(known));
  EXPECT_EQ(documents_of(corpus), (std::vector<Document>{{"a", "b", "a"}, {}, {}}));
  EXPECT_EQ(corpus.documents().tokens[0], 1u);  // as the vocabulary numbers it
  EXPECT_EQ(corpus.words().size(), 2u);
  EXPECT_EQ(corpus.tally().outside, 2u);
  EXPECT_EQ(corpus.num_empty(), 2u);
}

TEST(CorpusBuilder, RepeatsWhatIsCounted) {
  CorpusBuilder builder(VocabularyOptions{});
  builder.add(builder.number("x"), 3);
  builder.add(builder.number("y"), 1);
  builder.end_document({});
  EXPECT_EQ(documents_of(builder.finish({})), (std::vector<Document>{{"x", "x", "x", "y"}}));
}

TEST(CorpusBuilder, RemembersNamesOfDocuments) {
  CorpusBuilder builder(VocabularyOptions{});
  builder.end_document({"first", "", "en"});
  builder.end_document({"", "sea", "fr"});
  builder.end_document({"third", "land", ""});
  builder.end_document({"first", "sea", "en"});
  const Corpus corpus = builder.finish({});
  ASSERT_TRUE(corpus.has_ids() && corpus.has_labels() && corpus.has_languages());
  EXPECT_EQ(corpus.ids()[0], "first");
  EXPECT_EQ(corpus.ids()[1], "");
  EXPECT_EQ(corpus.ids()[3], "first");
  EXPECT_EQ(std::vector<Label>(corpus.labels().begin(), corpus.labels().end()),
            (std::vector<Label>{kNoLabel, 0, 1, 0}));
  EXPECT_EQ(corpus.label_names()[1], "land");
  EXPECT_EQ(std::vector<Label>(corpus.languages().begin(), corpus.languages().end()),
            (std::vector<Label>{0, 1, kNoLabel, 0}));
}

TEST(CorpusBuilder, HasNoColumnsWhereThereIsNothing) {
  CorpusBuilder builder(VocabularyOptions{});
  builder.end_document({});
  const Corpus corpus = builder.finish({});
  EXPECT_FALSE(corpus.has_ids() || corpus.has_labels() || corpus.has_languages());
}

TEST(CorpusBuilder, RefusesSharesThatAreNone) {
  for (const double share : {0.0, -0.5, 1.5, std::nan("")}) {
    VocabularyOptions options;
    options.max_share = share;
    EXPECT_THROW(CorpusBuilder{options}, UsageError);
  }
  VocabularyOptions options;
  options.min_documents = 0;
  EXPECT_THROW(CorpusBuilder{options}, UsageError);
}

}  // namespace
}  // namespace trellis::topics::corpus_builder_test
