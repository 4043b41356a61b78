#include "trellis/structure/trees/chart_forest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/structure/trees/parse_forest.h"

namespace trellis {
namespace {

struct ChartInstance {
  GrammarRules rules;
  std::vector<GrammarRules::Binary> binary;
  std::vector<GrammarRules::Chain> chains;
  std::vector<std::vector<std::uint32_t>> tags;
  KeptSpans kept;
};

// Symbols 0 … 3, of which coarse are their halves; each word may have some.
ChartInstance draw_instance(std::uint64_t seed, bool all_kept) {
  Random random(seed);
  ChartInstance instance;
  constexpr Index kSymbols = 4;
  const auto symbol = [&] { return static_cast<std::uint32_t>(random.below(kSymbols)); };
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen;
  for (int r = 0; r < 8; ++r) {
    const GrammarRules::Binary rule{symbol(), symbol(), symbol()};
    if (seen.insert({rule.parent, rule.left, rule.right}).second) instance.binary.push_back(rule);
  }
  for (int r = 0; r < 3; ++r) instance.chains.push_back({symbol(), symbol()});
  instance.rules =
      GrammarRules(0, std::vector<std::uint32_t>{0, 0, 1, 1}, instance.binary, instance.chains);
  const Index n = 1 + random.below(5);
  instance.tags.resize(n);
  for (auto& tags : instance.tags) {
    for (std::uint32_t a = 0; a < kSymbols; ++a) {
      if (random.below(2) == 0) tags.push_back(a);
    }
  }
  instance.kept.assign(n, 2, all_kept);
  for (Index i = 0; i < n && !all_kept; ++i) {
    for (Index j = i + 1; j <= n; ++j) {
      for (Index a = 0; a < 2; ++a) {
        if (random.below(4) != 0) instance.kept.keep(i, j, a);
      }
    }
  }
  return instance;
}

// All trees as texts: what a symbol makes of a span, below a chain or with one.
using Texts = std::vector<std::string>;
Texts trees(const ChartInstance& g, Index i, Index j, std::uint32_t symbol, bool above) {
  Texts found;
  const auto keeps = [&](std::uint32_t a) { return g.kept.keeps(i, j, g.rules.coarse(a)); };
  if (!keeps(symbol)) return found;
  const std::string name = std::to_string(symbol);
  if (above) {
    found = trees(g, i, j, symbol, false);
    for (Index r = 0; r < g.chains.size(); ++r) {
      if (g.chains[r].parent != symbol || !keeps(g.chains[r].child)) continue;
      for (const std::string& text : trees(g, i, j, g.chains[r].child, false)) {
        found.push_back("[" + name + " by " + std::to_string(r) + " " + text + "]");
      }
    }
    return found;
  }
  if (j == i + 1) {
    for (const std::uint32_t tag : g.tags[i]) {
      if (tag == symbol) found.push_back(name);
    }
  }
  for (Index k = i + 1; k < j; ++k) {
    for (const GrammarRules::Binary& rule : g.binary) {
      if (rule.parent != symbol) continue;
      for (const std::string& left : trees(g, i, k, rule.left, true)) {
        for (const std::string& right : trees(g, k, j, rule.right, true)) {
          found.push_back("(" + name + " " + left + " " + right + ")");
        }
      }
    }
  }
  return found;
}

std::string text_of(const ChartForest& chart, Index node, const std::map<Index, Index>& chosen) {
  const Index e = chosen.at(node);
  const PackedForest::Tails tails = chart.forest.tails(e);
  const std::string name = std::to_string(chart.nodes[node].symbol);
  switch (chart.edges[e].kind) {
    case ChartEdge::Kind::kWord:
      return name;
    case ChartEdge::Kind::kPass:
      return text_of(chart, tails.left, chosen);
    case ChartEdge::Kind::kChain:
      return "[" + name + " by " + std::to_string(chart.edges[e].rule) + " " +
             text_of(chart, tails.left, chosen) + "]";
    default:
      return "(" + name + " " + text_of(chart, tails.left, chosen) + " " +
             text_of(chart, tails.right, chosen) + ")";
  }
}

void expect_all_trees(std::uint64_t seed, bool all_kept) {
  const ChartInstance instance = draw_instance(seed, all_kept);
  const Index n = instance.tags.size();
  Texts expected = trees(instance, 0, n, 0, true);
  std::ranges::sort(expected);
  ChartForestBuilder builder;
  ChartForest chart;
  builder.build(instance.rules, instance.tags, instance.kept, chart);
  Texts found;
  if (chart.forest.num_nodes() > 0) {
    chart.forest.validate();
    ASSERT_EQ(chart.nodes.size(), chart.forest.num_nodes());
    ASSERT_EQ(chart.edges.size(), chart.forest.num_edges());
    const ParseForest forest(chart.forest);
    ParseForest::Scratch scratch;
    std::vector<ScoredOutput<ParseForest::Output>> best;
    const std::vector<double> s(forest.num_parts(), 0.0);
    forest.k_best(s, expected.size() + 10, scratch, best);
    for (const auto& one : best) {
      std::map<Index, Index> chosen;
      for (const std::uint32_t e : one.output) chosen[chart.forest.head(e)] = e;
      found.push_back(text_of(chart, chart.nodes.size() - 1, chosen));
    }
  }
  std::ranges::sort(found);
  EXPECT_EQ(found, expected) << seed;
}

TEST(ChartForest, HasAllTreesOfTheGrammar) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) expect_all_trees(seed, true);
}

TEST(ChartForest, HasThoseOfTheSpansThatAreKept) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) expect_all_trees(seed, false);
}

}  // namespace
}  // namespace trellis
