#include "trellis/formats/graphs/bipartite_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::match {
namespace {

std::vector<GraphRecord> read(const std::string& text, GraphFeatures& features) {
  std::vector<GraphRecord> graphs;
  read_graphs(InputFile::from_bytes(text, "g.txt"), features, graphs);
  return graphs;
}

std::string message_of(const std::string& text) {
  GraphFeatures features;
  try {
    read(text, features);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MatchGraphFile, ReadsDenseFeaturesByLeftAndRightNode) {
  GraphFeatures features;
  const auto graphs = read(
      "# two graphs\n"
      "graph a 2 3\n"
      "1 0 3 4\n"
      "0 2 * 1 2\n"
      "\n"
      "graph b 1 1\n"
      "0 0 5 6\n",
      features);
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(features.dimension(), 2U);
  EXPECT_EQ(features.name(1), "2");
  EXPECT_EQ(graphs[0].name, "a");
  EXPECT_EQ(graphs[0].line, 2U);
  ASSERT_EQ(graphs[0].edges.size(), 2U);
  EXPECT_EQ(graphs[0].edges[0].right, 2U);
  EXPECT_EQ(graphs[0].values, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(graphs[0].gold, (std::vector<Label>{2, kNoLabel}));
  EXPECT_EQ(graphs[0].num_matches, 1U);
  EXPECT_FALSE(graphs[0].complete());
  EXPECT_TRUE(graphs[1].complete());
}

TEST(MatchGraphFile, ReadsNamedFeaturesByTheirNumber) {
  GraphFeatures features;
  const auto graphs = read("graph a 1 2\n0 0 * near:1 far:2\n0 1 far:3 near:4\n", features);
  EXPECT_EQ(features.dimension(), 2U);
  EXPECT_EQ(features.name(0), "near");
  EXPECT_EQ(graphs[0].ids, (std::vector<std::uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(graphs[0].values, (std::vector<float>{1, 2, 4, 3}));
}

TEST(MatchGraphFile, LeavesOutNamesThatAModelDoesNotKnow) {
  GraphFeatures features;
  read("graph a 1 1\n0 0 * near:1\n", features);
  features.frozen = true;
  const auto graphs = read("graph a 1 1\n0 0 new:7 near:2 other:1\n", features);
  EXPECT_EQ(features.dimension(), 1U);
  EXPECT_EQ(graphs[0].values, (std::vector<float>{2}));
}

TEST(MatchGraphFile, NamesMayHoldColons) {
  GraphFeatures features;
  read("graph a 1 1\n0 0 * colour:red:1\n", features);
  EXPECT_EQ(features.name(0), "colour:red");
}

TEST(MatchGraphFile, RefusesWithTheLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "g.txt: expected a graph ('graph NAME LEFT RIGHT'), found none"},
      {"0 0 1\n", "g.txt:1: expected 'graph NAME LEFT RIGHT'"},
      {"graph a 2\n", "g.txt:1: expected 'graph NAME LEFT RIGHT'"},
      {"graph a 0 2\n", "g.txt:1: the graph 'a' has no nodes"},
      {"graph a -1 2\n", "g.txt:1: expected the number of left nodes"},
      {"graph a 2 2\n0 2 1\n", "g.txt:2: expected a right node, 0 to 1, found 2"},
      {"graph a 2 2\n2 0 1\n", "g.txt:2: expected a left node, 0 to 1, found 2"},
      {"graph a 2 2\nx 0 1\n", "g.txt:2: expected a left node, found"},
      {"graph a 2 2\n0\n", "g.txt:2: expected the two nodes of an edge"},
      {"graph a 2 2\n0 0 1\n0 1 1\n0 0 2\n",
       "g.txt:4: the edge 0 0 occurs twice: it is also in line 2"},
      {"graph a 2 2\n0 0 nan\n", "g.txt:2: expected a feature, a finite number"},
      {"graph a 2 2\n0 0 1e300\n", "g.txt:2: expected a feature, a finite number"},
      {"graph a 2 2\n0 0 1\n0 1 1 2\n", "g.txt:3: expected 1 features, as on other edges, found 2"},
      {"graph a 2 2\n0 0 1\n0 1 f:1\n", "g.txt:3: expected features without names"},
      {"graph a 2 2\n0 0 f:1\n0 1 1\n", "g.txt:3: expected a feature as NAME:VALUE"},
      {"graph a 2 2\n0 0 f:1 g:2 f:3\n",
       "g.txt:2: expected each feature of an edge once, found twice: \"f\""},
      {"graph a 2 2\n0 0\n", "g.txt:2: expected features on the first edge"},
      {"graph a 2 2\n0 0 * 1\n0 1 * 1\n", "g.txt:3: left node 0 has two true matches, 0 and 1"},
      {"graph a 2 2\n0 0 * 1\n1 0 * 1\n",
       "g.txt:3: right node 0 has two true matches: the other is in line 2"},
      {"graph a 1 1\n0 0 1\ngraph b 1 1\n", "g.txt:3: expected an empty line"},
      {"graph a 1 1\n0 0 1\n\ngraph a 1 1\n0 0 1\n",
       "g.txt:4: expected each graph name once in a file, found again"},
      {"graph a 2000000 2000000\n0 0 1\n", "g.txt:1: the graph 'a' has 4000000 nodes, but only 1"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(message_of(text).substr(0, message.size()), message) << text;
  }
}

}  // namespace
}  // namespace trellis::match
