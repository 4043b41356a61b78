#include "trellis/topics/words/cooccurrence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/topics/tiny_corpus.h"
#include "tests/topics/words/strongest.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/coherence.h"

namespace trellis::topics::cooccurrence_test {
namespace {

using testing::strongest_by_sorting;

// Words with low numbers are frequent, and words of a document are near one another.
TinyCorpus random_texts(Index num_documents, Index num_words, std::uint64_t seed) {
  TinyCorpus texts;
  texts.num_words = num_words;
  Random random(seed);
  for (Index d = 0; d < num_documents; ++d) {
    std::vector<std::uint32_t> document(random.below(12));
    const Index subject = random.below(num_words);
    for (std::uint32_t& word : document) {
      const Index near = (subject + random.below(4)) % num_words;
      word = static_cast<std::uint32_t>(random.below(2) == 0 ? near : random.below(num_words));
    }
    texts.add(document);
  }
  return texts;
}

WordGraph brute_force(const Documents& documents, const CooccurrenceOptions& options) {
  std::vector<std::set<Index>> with(documents.num_words);
  for (Index d = 0; d < documents.size(); ++d) {
    for (const std::uint32_t word : documents[d]) with[word].insert(d);
  }
  const auto n = static_cast<double>(documents.size());
  return strongest_by_sorting(documents.num_words, options.neighbours, [&](Index a, Index b) {
    Index together = 0;
    for (const Index d : with[a]) together += with[b].count(d);
    if (together < options.min_together || together == documents.size()) return 0.0F;
    const double both = static_cast<double>(together) / n;
    const double independent =
        static_cast<double>(with[a].size()) / n * (static_cast<double>(with[b].size()) / n);
    const double npmi = std::log(both / independent) / -std::log(both);
    return npmi < options.min_npmi ? 0 : options.weight * static_cast<float>(npmi);
  });
}

WordGraph found(const Documents& documents, const CooccurrenceOptions& options, int threads = 1) {
  WordGraphBuilder graph(documents.num_words);
  add_cooccurrence_links(documents, options, threads, graph);
  return graph.build();
}

// All links, so that which of two equals is left out does not hang on the last bit.
TEST(Cooccurrence, IsNpmiByDocuments) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const TinyCorpus texts = random_texts(20 + 20 * seed, 30, seed);
    for (const auto& options :
         {CooccurrenceOptions{100, 0.0501, 1, 1}, CooccurrenceOptions{100, 0.2501, 3, 2}}) {
      const WordGraph graph = found(texts.documents(), options);
      const WordGraph expected = brute_force(texts.documents(), options);
      for (Index v = 0; v < 30; ++v) {
        ASSERT_EQ(graph.links(v).size(), expected.links(v).size());
        for (Index i = 0; i < graph.links(v).size(); ++i) {
          EXPECT_EQ(graph.links(v)[i].word, expected.links(v)[i].word);
          EXPECT_NEAR(graph.links(v)[i].weight, expected.links(v)[i].weight, 1e-5);
        }
      }
    }
  }
}

TEST(Cooccurrence, TheStrongestAreAmongAll) {
  const TinyCorpus texts = random_texts(200, 30, 3);
  const CooccurrenceOptions all{100, 0.05, 1, 1};
  const CooccurrenceOptions few{2, 0.05, 1, 1};
  const WordGraph every = found(texts.documents(), all);
  const auto weight = [&](Index u, Index v) {
    for (const WordGraph::Link& link : every.links(u)) {
      if (link.word == v) return link.weight;
    }
    return 0.0F;
  };
  EXPECT_EQ(found(texts.documents(), few), strongest_by_sorting(30, 2, weight));
}

TEST(Cooccurrence, IsTheCoherenceOfTwoWords) {
  const TinyCorpus texts = random_texts(300, 20, 4);
  const WordGraph graph = found(texts.documents(), {100, 0.01, 1, 1});
  EXPECT_GT(graph.num_edges(), 5u);
  for (std::uint32_t v = 0; v < 20; ++v) {
    for (const WordGraph::Link& link : graph.links(v)) {
      const std::vector<std::vector<std::uint32_t>> pair = {{v, link.word}};
      EXPECT_NEAR(link.weight, coherence(texts.documents(), pair)[0], 1e-6);
    }
  }
}

TEST(Cooccurrence, WordsOfEveryDocumentAreNotLinked) {
  TinyCorpus texts;
  texts.num_words = 4;
  for (Index d = 0; d < 10; ++d) {
    texts.add(d % 2 == 0 ? std::vector<std::uint32_t>{0, 1, 0}
                         : std::vector<std::uint32_t>{0, 1, 2, 3});
  }
  const WordGraph graph = found(texts.documents(), {});
  EXPECT_EQ(graph.num_edges(), 1u);
  ASSERT_EQ(graph.links(2).size(), 1u);
  EXPECT_EQ(graph.links(2)[0].word, 3u);
  EXPECT_FLOAT_EQ(graph.links(2)[0].weight, 1);
}

TEST(Cooccurrence, SameResultForAnyNumberOfThreads) {
  const TinyCorpus texts = random_texts(500, 60, 6);
  const CooccurrenceOptions options{4, 0.1, 2, 1};
  EXPECT_EQ(found(texts.documents(), options, 1), found(texts.documents(), options, 3));
}

TEST(Cooccurrence, RefusesOptionsThatMakeNoSense) {
  const TinyCorpus texts = random_texts(10, 5, 1);
  for (const auto& options :
       {CooccurrenceOptions{0, 0.3, 5, 1}, CooccurrenceOptions{10, 0, 5, 1},
        CooccurrenceOptions{10, 1.1, 5, 1}, CooccurrenceOptions{10, 0.3, 0, 1},
        CooccurrenceOptions{10, 0.3, 5, 0}}) {
    EXPECT_THROW(found(texts.documents(), options), UsageError);
  }
  WordGraphBuilder other(3);
  EXPECT_THROW(add_cooccurrence_links(texts.documents(), {}, 1, other), UsageError);
  WordGraphBuilder none(0);
  EXPECT_EQ(add_cooccurrence_links({}, {}, 1, none).links, 0u);
}

}  // namespace
}  // namespace trellis::topics::cooccurrence_test
