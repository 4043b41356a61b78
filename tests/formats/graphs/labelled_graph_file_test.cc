#include "trellis/formats/graphs/labelled_graph_file.h"

#include <gtest/gtest.h>

#include <string>

#include "trellis/base/error.h"

namespace trellis::segment {
namespace {

GraphSet read(const std::string& text, const GraphReadOptions& options = {}) {
  return read_graphs(InputFile::from_bytes(text, "g.txt"), options);
}

std::string message_of(const std::string& text, const GraphReadOptions& options = {}) {
  try {
    read(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kGood =
    "# a comment\n\n"
    "graph one 3 2\n1 0.5 2\n0 1 -3\n1 0 0\n0 1 0.25\n2 1 1e-3\n"
    "graph two 1 0\n0 7 8\n";

TEST(GraphFile, ReadsNodesEdgesAndFeatures) {
  const GraphSet set = read(kGood);
  EXPECT_EQ(set.node_width, 2U);
  EXPECT_EQ(set.edge_width, 1U);
  ASSERT_EQ(set.graphs.size(), 2U);
  const LabelledGraph& one = set.graphs[0];
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(one.labels, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_EQ(one.node_features, (std::vector<float>{0.5F, 2, 1, -3, 0, 0}));
  ASSERT_EQ(one.edges.size(), 2U);
  EXPECT_EQ(one.edges[1].j, 2U);
  EXPECT_EQ(one.edges[1].k, 1U);
  EXPECT_EQ(one.edge_features, (std::vector<float>{1, 0.25F, 1, 1e-3F}));  // the constant first
  EXPECT_EQ(set.graphs[1].num_nodes, 1U);
}

TEST(GraphFile, UnknownLabelsAreForPrediction) {
  const std::string text = "graph g 2 1\n? 1\n0 2\n0 1\n";
  EXPECT_NE(message_of(text).find("g.txt:2: expected a known label"), std::string::npos);
  EXPECT_EQ(read(text, {false, false}).graphs[0].labels[0], kUnknownLabel);
}

TEST(GraphFile, SaysWhereAndWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& message) {
    EXPECT_NE(message_of(text).find(message), std::string::npos) << message_of(text);
  };
  expect("", "g.txt: expected graphs, found none");
  expect("# nothing\n", "expected graphs, found none");
  expect("graf g 1 0\n", "g.txt:1: expected 'graph NAME NODES EDGES'");
  expect("graph g 0 0\n", "g.txt:1: the graph 'g' has no nodes");
  expect("graph g -1 0\n", "expected the number of nodes");
  expect("graph g 2 0\n0 1\n", "the file ends after 1 of 2 nodes");
  expect("graph g 1 0\n2 1\n", "g.txt:2: expected the label of a node");
  expect("graph g 1 0\n1\n", "at least one feature");
  expect("graph g 1 0\n1 nan\n", "g.txt:2: expected a feature, a finite number, found \"nan\"");
  expect("graph g 1 0\n1 inf\n", "a finite number");
  expect("graph g 1 0\n1 1e300\n", "a finite number");
  expect("graph g 2 1\n1 1\n0 1 2\n0 1\n", "g.txt:3: expected 1 features of a node");
  expect("graph g 2 1\n1 1\n0 1\n0 2\n", "g.txt:4: expected nodes 0 to 1, found 2");
  expect("graph g 2 1\n1 1\n0 1\n1 1\n", "g.txt:4: an edge leads from node 1 to itself");
  expect("graph g 2 1\n1 1\n0 1\n0 1 -0.5\n", "(required by submodularity), found \"-0.5\"");
  expect("graph g 2 1\n1 1\n0 1\n0 1 nan\n", "a finite number");
  expect("graph g 2 2\n1 1\n0 1\n0 1 1\n1 0 1\n", "g.txt:5: the edge between nodes 0 and 1");
  expect("graph g 3 1\n1 1\n0 1\n0 1\n0 1\n", "g.txt:1: expected a connected graph");
  expect("graph g 1 0\n1 1\ngraph g 1 0\n1 1\n",
         "expected each graph name once in a file, found again \"g\"");
}

TEST(GraphFile, GraphsMayFallApartWhereThatIsAllowed) {
  const std::string text = "graph g 3 1\n1 1\n0 1\n0 1\n0 1\n";
  EXPECT_EQ(read(text, {true, true}).graphs[0].num_nodes, 3U);
}

TEST(GraphFile, EveryCutIsReadOrRefused) {
  for (Index size = 0; size <= kGood.size(); ++size) {
    EXPECT_NE(message_of(kGood.substr(0, size)), "");
  }
}

}  // namespace
}  // namespace trellis::segment
