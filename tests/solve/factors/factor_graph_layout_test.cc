#include "trellis/solve/factors/factor_graph_layout.h"

#include <gtest/gtest.h>

#include <vector>

#include "trellis/base/error.h"

namespace trellis {
namespace {

using Values = std::vector<std::uint32_t>;

std::vector<double> indicator_of(const FactorGraphLayout& graph, const Values& values) {
  std::vector<double> z(graph.num_parts());
  graph.indicator(values, z);
  return z;
}

TEST(FactorGraphLayout, NumbersStatesFirstAndOwnPartsBehindThem) {
  FactorGraphBuilder builder;
  const auto a = static_cast<std::uint32_t>(builder.add_variable(3));
  const auto b = static_cast<std::uint32_t>(builder.add_switch());
  builder.add_table(std::vector{a, b});
  builder.add_pair(builder.state(a, 2), builder.state(b));
  const FactorGraphLayout graph = builder.build();
  EXPECT_EQ(graph.num_states(), 4U);
  EXPECT_EQ(graph.num_parts(), 4U + 6 + 1);
  EXPECT_EQ(graph.links(graph.factor(0)).size(), 4U);
  EXPECT_EQ(indicator_of(graph, {2, 1}), (std::vector<double>{0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(indicator_of(graph, {0, 1}), (std::vector<double>{1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(graph.links_of(builder.state(a, 2)).size(), 2U);
  EXPECT_EQ(graph.links_of(builder.state(a, 1)).size(), 1U);
}

TEST(FactorGraphLayout, SequencesCountTransitions) {
  FactorGraphBuilder builder;
  std::vector<std::uint32_t> variables;
  for (const Index arity : {2, 3, 2}) {
    variables.push_back(static_cast<std::uint32_t>(builder.add_variable(arity)));
  }
  const Index f = builder.add_sequence(variables);
  const FactorGraphLayout graph = builder.build();
  EXPECT_EQ(graph.num_parts(), 7U + 6 + 6);
  EXPECT_EQ(graph.transition_part(graph.factor(f), 0, 1, 2), 7U + 5);
  EXPECT_EQ(graph.transition_part(graph.factor(f), 1, 2, 1), 7U + 6 + 5);
  const std::vector<double> z = indicator_of(graph, {1, 2, 1});
  EXPECT_EQ(z[7 + 5], 1);
  EXPECT_EQ(z[7 + 11], 1);
}

TEST(FactorGraphLayout, HeadsCountNeighboursThatAreOn) {
  FactorGraphBuilder builder;
  std::vector<std::uint32_t> switches;
  for (Index k = 0; k < 3; ++k) switches.push_back(builder.state(builder.add_switch()));
  const Index f = builder.add_head(switches);
  const FactorGraphLayout graph = builder.build();
  const FactorGraphLayout::Factor& head = graph.factor(f);
  EXPECT_EQ(head.parts_end - head.parts_begin, 10U);
  Index next = head.parts_begin;
  for (Index a = 0; a <= 4; ++a) {
    for (Index b = a + 1; b <= 4; ++b) {
      EXPECT_EQ(FactorGraphLayout::head_part(head, a, b), next++);
    }
  }
  const std::vector<double> z = indicator_of(graph, {1, 0, 1});
  double parts = 0;
  for (Index p = head.parts_begin; p < head.parts_end; ++p) parts += z[p];
  EXPECT_EQ(parts, 3);
  EXPECT_EQ(z[FactorGraphLayout::head_part(head, 1, 3)], 1);
}

TEST(FactorGraphLayout, LogicalFactorsKnowWhatIsLegal) {
  FactorGraphBuilder builder;
  std::vector<Literal> literals;
  for (Index k = 0; k < 3; ++k) literals.push_back({builder.state(builder.add_switch())});
  literals[2].negated = true;
  const auto number_legal = [&](auto add) {
    FactorGraphBuilder copy = builder;
    add(copy);
    const FactorGraphLayout graph = copy.build();
    Index number = 0;
    for (std::uint32_t code = 0; code < 8; ++code) {
      number += graph.legal(Values{code & 1, (code >> 1) & 1, code >> 2}) ? 1 : 0;
    }
    return number;
  };
  EXPECT_EQ(number_legal([&](auto& b) { b.add_one_of(literals); }), 3U);
  EXPECT_EQ(number_legal([&](auto& b) { b.add_at_most_one(literals); }), 4U);
  EXPECT_EQ(number_legal([&](auto& b) { b.add_or(literals); }), 7U);
  EXPECT_EQ(number_legal([&](auto& b) { b.add_budget(literals, 2); }), 7U);
  EXPECT_EQ(number_legal([&](auto& b) { b.add_budget(literals, 0); }), 1U);
}

TEST(FactorGraphLayout, TreesHaveNoCycleAndWhereAskedNoCrossing) {
  for (const Crossing crossing : {Crossing::kAllowed, Crossing::kForbidden}) {
    for (const Roots roots : {Roots::kAny, Roots::kOne}) {
      FactorGraphBuilder builder;
      std::vector<TreeArc> arcs;
      for (std::uint32_t m = 1; m <= 3; ++m) {
        for (std::uint32_t h = 0; h <= 3; ++h) {
          if (h != m) arcs.push_back({h, m, builder.state(builder.add_switch())});
        }
      }
      builder.add_tree(3, arcs, roots, crossing);
      const FactorGraphLayout graph = builder.build();
      Index trees = 0;
      for (std::uint32_t code = 0; code < 512; ++code) {
        Values values;
        for (std::uint32_t k = 0; k < 9; ++k) values.push_back((code >> k) & 1);
        trees += graph.legal(values) ? 1 : 0;
      }
      // (n + 1)^(n − 1), n^(n − 1); of three words two trees cross an arc of the root with another.
      const bool one = roots == Roots::kOne;
      const Index all = one ? 9 : 16;
      EXPECT_EQ(trees, crossing == Crossing::kAllowed ? all : (one ? 7U : 12U));
    }
  }
}

TEST(FactorGraphLayout, RefusesWhatDoesNotFit) {
  FactorGraphBuilder builder;
  EXPECT_THROW(builder.add_variable(0), UsageError);
  const auto a = static_cast<std::uint32_t>(builder.add_variable(3));
  const auto b = static_cast<std::uint32_t>(builder.add_switch());
  EXPECT_THROW(builder.state(a, 3), UsageError);
  EXPECT_THROW(builder.add_table({}), UsageError);
  EXPECT_THROW(builder.add_table(std::vector{a, a}), UsageError);
  EXPECT_THROW(builder.add_table(std::vector{b + 1}), UsageError);
  EXPECT_THROW(builder.add_sequence(std::vector{a, b}), UsageError);
  EXPECT_THROW(builder.add_pair(builder.state(a, 0), builder.state(a, 1)), UsageError);
  EXPECT_THROW(builder.add_head(std::vector{builder.state(a, 0)}), UsageError);
  EXPECT_THROW(builder.add_or({}), UsageError);
  EXPECT_THROW(builder.add_or(std::vector<Literal>{{9}}), UsageError);
  const std::uint32_t on = builder.state(b);
  EXPECT_THROW(builder.add_tree(1, std::vector<TreeArc>{{1, 1, on}}, Roots::kAny), UsageError);
  EXPECT_THROW(builder.add_tree(1, std::vector<TreeArc>{{0, 2, on}}, Roots::kAny), UsageError);
  EXPECT_THROW(builder.add_tree(1, std::vector<TreeArc>{{0, 1, 0}}, Roots::kAny), UsageError);
  EXPECT_EQ(builder.build().num_factors(), 0U);
}

}  // namespace
}  // namespace trellis
