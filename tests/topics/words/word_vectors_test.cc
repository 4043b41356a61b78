#include "trellis/topics/words/word_vectors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/topics/words/error_of.h"
#include "tests/topics/words/strongest.h"
#include "tests/topics/words/word_list.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics::word_vectors_test {
namespace {

using testing::input_error_of;
using testing::text_file;
using testing::word_list;

WordVectors read(std::string_view text) {
  const NameList vocabulary = word_list({"cat", "dog", "paris", "#"});
  WordFinder words(vocabulary, {});
  return read_word_vectors(text_file(text), words);
}

TEST(WordVectors, AreReadWithAHeaderOrWithout) {
  for (const char* header : {"", "4 2\n", " 4  2 \n"}) {
    const WordVectors vectors =
        read(std::string(header) + "dog 3 4 \nhorse 1 2\n# 0 -2\n\nnew_york\t1e-1\t2\n");
    EXPECT_EQ(vectors.dimensions, 2u);
    EXPECT_EQ(vectors.words, (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(vectors.values, (std::vector<float>{0.6F, 0.8F, 0, -1}));
    EXPECT_EQ(vectors.tally, (LinkTally{.lines = 4, .outside = 2}));
  }
  EXPECT_TRUE(read("").words.empty());
  EXPECT_TRUE(read("0 300\n").words.empty());
}

TEST(WordVectors, TheVocabularysOwnSpellingCountsOrElseTheFirst) {
  EXPECT_EQ(read("Paris 1 0\nPARIS 0 1\nparis -1 0\nParis 0 -1\n").values,
            (std::vector<float>{-1, 0}));
  EXPECT_EQ(read("Paris 1 0\nPARIS 0 1\n").values, (std::vector<float>{1, 0}));
}

TEST(WordVectors, RefusesLinesOfAnotherShapeAndValuesThatAreNone) {
  const std::string value = "expected a value, a finite number, found ";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"cat 1 2\ndog 1\n",
            "words.txt:2: expected a word and 2 values separated by blanks, found 1 values after "
            "\"dog\""},
           {"cat 1 2\nhorse 1 2 3\n", "words.txt:2: expected a word and 2 values"},
           {"2 3\ncat 1 2\n", "words.txt:2: expected a word and 3 values"},
           {"cat\n", "words.txt:1: expected a word and 1 values"},
           {"cat 1 nan\n", "words.txt:1: " + value + "\"nan\""},
           {"cat 1 2\ndog -inf 2\n", "words.txt:2: " + value + "\"-inf\""},
           {"cat 1 1e39\n", "words.txt:1: " + value},
           {"cat 1 x\n", "words.txt:1: " + value},
           {"cat 0 0\n", "words.txt:1: expected a non-zero value"},
           {"cat 1 2\ncat 1 2\n", "words.txt:2: expected each word once"},
           {"3 2\ncat 1 2\n",
            "words.txt: expected vectors of 3 words, as declared in the first line, found 1"},
           {"3 0\n", "words.txt:1: expected the number of words and the number of values"},
           {"-3 2\n", "words.txt:1: expected the number of words and the number of values"},
           {"\xFF 1 2\n", "words.txt:1: expected UTF-8"},
       }) {
    const std::string said = input_error_of([&bytes = text] { read(bytes); });
    EXPECT_TRUE(said.starts_with(message)) << text << ": " << said;
  }
}

TEST(WordVectors, LinksTheNearestByCosine) {
  constexpr Index kWords = 40, kDimensions = 5;
  Random random(3);
  std::vector<std::vector<double>> vectors(kWords, std::vector<double>(kDimensions));
  NameList vocabulary;
  std::string text;
  for (Index v = 0; v < kWords; ++v) {
    vocabulary.add(fmt::format("w{}", v));
    // In another order than the vocabulary's.
    const Index word = kWords - 1 - v;
    text += fmt::format("w{}", word);
    for (double& x : vectors[word]) {
      x = random.normal();
      text += fmt::format(" {}", x);
    }
    text += '\n';
  }
  const auto dot = [&](Index u, Index v) {
    double sum = 0;
    for (Index i = 0; i < kDimensions; ++i) sum += vectors[u][i] * vectors[v][i];
    return sum;
  };
  WordFinder words(vocabulary, {});
  const WordVectors read_vectors = read_word_vectors(text_file(text), words);
  for (const auto& options : {EmbeddingOptions{3, 0.3, 1}, EmbeddingOptions{100, 0.7, 2}}) {
    const WordGraph expected =
        testing::strongest_by_sorting(kWords, options.neighbours, [&](Index u, Index v) {
          const double cosine = dot(u, v) / std::sqrt(dot(u, u) * dot(v, v));
          return cosine < options.min_cosine ? 0 : options.weight * static_cast<float>(cosine);
        });
    for (const int threads : {1, 3}) {
      WordGraphBuilder builder(kWords);
      const LinkTally tally = add_embedding_links(read_vectors, options, threads, builder);
      const WordGraph graph = builder.build();
      EXPECT_GE(tally.links, graph.num_edges());
      EXPECT_EQ(tally.lines, kWords);
      ASSERT_EQ(graph.num_edges(), expected.num_edges());
      for (Index v = 0; v < kWords; ++v) {
        for (Index i = 0; i < graph.links(v).size(); ++i) {
          EXPECT_EQ(graph.links(v)[i].word, expected.links(v)[i].word);
          EXPECT_NEAR(graph.links(v)[i].weight, expected.links(v)[i].weight, 1e-5);
        }
      }
    }
  }
}

TEST(WordVectors, OneWordHasNoNeighbours) {
  WordGraphBuilder graph(4);
  EXPECT_EQ(add_embedding_links(read("cat 1 2\n"), {}, 1, graph).links, 0u);
  EXPECT_EQ(add_embedding_links(read("cat 1 2\ndog 1 2\n"), {}, 1, graph).links, 2u);
  EXPECT_EQ(graph.build().num_edges(), 1u);
  EXPECT_THROW(add_embedding_links({}, {0, 0.5, 1}, 1, graph), UsageError);
  EXPECT_THROW(add_embedding_links({}, {1, 0, 1}, 1, graph), UsageError);
  EXPECT_THROW(add_embedding_links({}, {1, 0.5, 0}, 1, graph), UsageError);
}

}  // namespace
}  // namespace trellis::topics::word_vectors_test
