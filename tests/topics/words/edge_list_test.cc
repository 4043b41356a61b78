#include "trellis/topics/words/edge_list.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/topics/words/error_of.h"
#include "tests/topics/words/word_list.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics::edge_list_test {
namespace {

using testing::Edges;
using testing::edges_of;
using testing::input_error_of;
using testing::text_file;
using testing::word_list;

std::pair<Edges, LinkTally> read(std::string_view text) {
  const NameList vocabulary = word_list({"cat", "dog", "paris", "#tag"});
  WordFinder words(vocabulary, {});
  WordGraphBuilder graph(vocabulary.size());
  const LinkTally tally = add_edge_list(text_file(text), words, graph);
  return {edges_of(graph.build()), tally};
}

TEST(EdgeList, IsReadWithWeightsOrWithout) {
  const auto [edges, tally] = read(
      "# a comment\n"
      "dog\tcat\n"
      "\n"
      "Paris \t cat\t 2.5\n"
      "cat\tdog\t0.5\n"
      "cat\tCat\t3\n"
      "cat\thorse\n"
      "mouse\tbig horse\t1e-3\n"
      "#tag\tdog\t4\n");
  EXPECT_EQ(edges, (Edges{{0, 1, 1.0F}, {0, 2, 2.5F}, {1, 3, 4.0F}}));
  EXPECT_EQ(tally, (LinkTally{.lines = 7, .links = 4, .outside = 2, .phrases = 1}));
  EXPECT_TRUE(read("").first.empty());
}

TEST(EdgeList, RefusesLinesOfAnotherShapeAndWeightsThatAreNone) {
  const std::string shape = "expected two words and an optional weight, separated by tabs, found ";
  const std::string weight = "expected a weight, a finite number above 0, found ";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"cat\tdog\ncat dog\n", "words.txt:2: " + shape + "\"cat dog\""},
           {"cat", "words.txt:1: " + shape},
           {"cat\t", "words.txt:1: " + shape},
           {"\tcat", "words.txt:1: " + shape},
           {"cat\tdog\t1\t2", "words.txt:1: " + shape},
           {"cat\tdog\t0", "words.txt:1: " + weight + "\"0\""},
           {"cat\tdog\t-1", "words.txt:1: " + weight + "\"-1\""},
           {"cat\tdog\tinf", "words.txt:1: " + weight},
           {"cat\tdog\t-inf", "words.txt:1: " + weight},
           {"cat\tdog\tnan", "words.txt:1: " + weight},
           {"cat\tdog\t1e39", "words.txt:1: " + weight},
           {"cat\tdog\t1e-60", "words.txt:1: " + weight},
           {"cat\tdog\theavy", "words.txt:1: " + weight},
           {"cat\tdog\t", "words.txt:1: " + shape},
           {"horse\tmouse\t-1", "words.txt:1: " + weight},  // also of words that nobody has
           {"cat\tdog\n\xC3(\tdog", "words.txt:2: expected UTF-8"},
       }) {
    const std::string said = input_error_of([&bytes = text] { read(bytes); });
    EXPECT_TRUE(said.starts_with(message)) << text << ": " << said;
  }
}

TEST(EdgeList, WhatIsWrittenIsReadAgain) {
  const testing::TemporaryDirectory directory;
  const NameList vocabulary = testing::random_words(60, 6, U"abcé#北", 3);
  Random random(5);
  WordGraphBuilder builder(vocabulary.size());
  for (Index i = 0; i < 300; ++i) {
    builder.add(static_cast<std::uint32_t>(random.below(60)),
                static_cast<std::uint32_t>(random.below(60)),
                static_cast<float>(random.uniform() * 3 + 1e-6));
  }
  const WordGraph graph = builder.build();
  WordFinder words(vocabulary, {});
  for (const char* name : {"edges.tsv", "edges.tsv.gz", "edges.tsv.zst"}) {
    OutputFile out(directory.file(name));
    write_edge_list(graph, vocabulary.view(), out);
    out.commit();
    WordGraphBuilder again(vocabulary.size());
    const LinkTally tally = add_edge_list(InputFile(directory.file(name)), words, again);
    EXPECT_EQ(again.build(), graph);
    EXPECT_EQ(tally.lines, graph.num_edges());
    EXPECT_EQ(tally.links, graph.num_edges());
  }
}

TEST(EdgeList, IsWrittenInTheOrderOfWords) {
  const testing::TemporaryDirectory directory;
  WordGraphBuilder builder(3);
  builder.add(2, 1, 0.1F);
  builder.add(2, 0, 1);
  OutputFile out(directory.file("edges"));
  write_edge_list(builder.build(), word_list({"b", "a", "c"}).view(), out);
  out.commit();
  EXPECT_EQ(testing::content_of(directory.file("edges")), "b\tc\t1\na\tc\t0.1\n");
}

TEST(EdgeList, RefusesToWriteWhatWouldNotBeReadAgain) {
  const testing::TemporaryDirectory directory;
  for (const char* word : {"", "a\tb", "a\nb", " a", "a\r"}) {
    WordGraphBuilder builder(2);
    builder.add(0, 1, 1);
    OutputFile out(directory.file("edges"));
    EXPECT_THROW(write_edge_list(builder.build(), word_list({"c", word}).view(), out), UsageError);
    write_edge_list(WordGraph(2), word_list({"c", word}).view(), out);  // without a link
    EXPECT_THROW(write_edge_list(WordGraph(3), word_list({"c", word}).view(), out), UsageError);
  }
}

}  // namespace
}  // namespace trellis::topics::edge_list_test
