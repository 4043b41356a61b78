#include "trellis/topics/wordlda/word_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics::word_graph_test {
namespace {

using Links = std::vector<WordGraph::Link>;

Links links_of(const WordGraph& graph, Index word) {
  const auto links = graph.links(word);
  return {links.begin(), links.end()};
}

TEST(WordGraph, WithoutAnEdge) {
  const WordGraph graph(3);
  EXPECT_EQ(graph.num_words(), 3u);
  EXPECT_EQ(graph.num_edges(), 0u);
  EXPECT_FALSE(graph.linked(1));
  EXPECT_TRUE(graph.links(2).empty());
  EXPECT_EQ(WordGraph().num_words(), 0u);
  EXPECT_EQ(WordGraphBuilder(3).build(), graph);
}

TEST(WordGraph, IsSymmetricWithTheLargerWeightOfRepeatedEdges) {
  WordGraphBuilder builder(5);
  builder.add(3, 1, 0.5F);
  builder.add(1, 3, 2);
  builder.add(3, 1, 1);
  builder.add(0, 3, 1);
  builder.add(2, 2, 7);  // to itself
  builder.add(4, 3, 3);
  const WordGraph graph = builder.build();
  EXPECT_EQ(graph.num_edges(), 3u);
  EXPECT_EQ(links_of(graph, 3), (Links{{0, 1}, {1, 2}, {4, 3}}));
  EXPECT_EQ(links_of(graph, 1), (Links{{3, 2}}));
  EXPECT_FALSE(graph.linked(2));
  EXPECT_TRUE(graph.linked(4));
  EXPECT_EQ(builder.build(), WordGraph(5));  // nothing is left
}

TEST(WordGraph, HasWhatWasAddedInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Index n = 1 + random.below(12);
    std::map<std::pair<std::uint32_t, std::uint32_t>, float> expected;
    WordGraphBuilder builder(n);
    for (Index i = 0; i < 40; ++i) {
      const auto u = static_cast<std::uint32_t>(random.below(n));
      const auto v = static_cast<std::uint32_t>(random.below(n));
      const auto weight = static_cast<float>(1 + random.below(4));
      builder.add(u, v, weight);
      if (u == v) continue;
      for (const auto& pair : {std::pair{u, v}, std::pair{v, u}}) {
        expected[pair] = std::max(expected[pair], weight);
      }
    }
    const WordGraph graph = builder.build();
    EXPECT_EQ(graph.num_edges(), expected.size() / 2);
    for (std::uint32_t u = 0; u < n; ++u) {
      Links of_u;
      for (const auto& [pair, weight] : expected) {
        if (pair.first == u) of_u.push_back({pair.second, weight});
      }
      EXPECT_EQ(links_of(graph, u), of_u);
    }
  }
}

TEST(WordGraph, RefusesWordsAndWeightsThatAreNone) {
  WordGraphBuilder builder(2);
  EXPECT_THROW(builder.add(0, 2, 1), UsageError);
  EXPECT_THROW(builder.add(~std::uint32_t{0}, 0, 1), UsageError);
  for (const float weight : {0.0F, -1.0F, std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THROW(builder.add(0, 1, weight), UsageError);
  }
  EXPECT_THROW(WordGraphBuilder(Index{1} << 32), UsageError);
  EXPECT_EQ(builder.build().num_edges(), 0u);
}

}  // namespace
}  // namespace trellis::topics::word_graph_test
