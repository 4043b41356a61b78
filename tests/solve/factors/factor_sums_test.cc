#include "trellis/solve/factors/factor_sums.h"

#include <gtest/gtest.h>

#include "tests/solve/factors/random_factor_graphs.h"

namespace trellis {
namespace {

using random_graphs::enumerate_sums;
using random_graphs::kAllKinds;
using random_graphs::Sums;

struct Local {
  double log_sum = 0, entropy = 0;
  std::vector<double> messages, own_marginals;
};

Local sum_locally(const FactorGraphLayout& graph, const std::vector<double>& s) {
  const FactorGraphLayout::Factor& f = graph.factor(0);
  std::vector<double> eta;
  for (const Literal& literal : graph.links(f)) eta.push_back(s[literal.state]);
  Local local;
  local.messages.assign(eta.size(), NAN);
  local.own_marginals.assign(f.parts_end - f.parts_begin, NAN);
  const auto own = std::span(s).subspan(f.parts_begin, f.parts_end - f.parts_begin);
  FactorSums sums;
  local.entropy = sums.entropy(graph, f, eta, own);
  local.log_sum = sums.sum(graph, f, eta, own, local.messages, local.own_marginals);
  return local;
}

// Switches alone, so that a local assignment is an assignment of the graph.
FactorGraphLayout over_switches(FactorKind kind, Random& random) {
  for (;;) {
    FactorGraphLayout graph = random_graphs::single_factor(kind, random);
    if (kind == FactorKind::kTable || kind == FactorKind::kSequence) return graph;
    if (graph.num_states() == graph.num_variables() && [&] {
          for (Index v = 0; v < graph.num_variables(); ++v) {
            if (!graph.is_switch(v)) return false;
          }
          return true;
        }()) {
      return graph;
    }
  }
}

// The chance of each linked state, by the rule of the header.
std::vector<double> chances(const FactorGraphLayout& graph, const std::vector<double>& s,
                            const Local& local) {
  const FactorGraphLayout::Factor& f = graph.factor(0);
  std::vector<double> p;
  const std::span<const Literal> links = graph.links(f);
  for (Index l = 0; l < links.size(); ++l) {
    const Index v = graph.variable_of(links[l].state);
    const double belief = s[links[l].state] + local.messages[l];
    if (graph.is_switch(v)) {
      p.push_back(1 / (1 + std::exp(-belief)));
      continue;
    }
    double total = 0;
    const Index first = l - (links[l].state - graph.state(v, 0));
    for (Index k = 0; k < graph.arity(v); ++k) {
      total += std::exp(s[graph.state(v, k)] + local.messages[first + k] - belief);
    }
    p.push_back(1 / total);
  }
  return p;
}

void check_against_enumeration(FactorKind kind, double scale, Random& random) {
  const FactorGraphLayout graph = over_switches(kind, random);
  const auto s = random_graphs::draw_scores(graph.num_parts(), scale, random);
  const Sums sums = enumerate_sums(graph, s);
  const Local local = sum_locally(graph, s);
  const double tolerance = 1e-12 + 1e-14 * sums.magnitude;
  if (sums.best.empty()) {
    EXPECT_EQ(local.log_sum, -kInfinity);
    return;
  }
  EXPECT_NEAR(local.log_sum, static_cast<double>(sums.log_sum), tolerance);
  EXPECT_NEAR(local.entropy, static_cast<double>(sums.entropy), tolerance);
  const std::vector<double> p = chances(graph, s, local);
  const std::span<const Literal> links = graph.links(graph.factor(0));
  for (Index l = 0; l < links.size(); ++l) {
    EXPECT_NEAR(p[l], static_cast<double>(sums.marginals[links[l].state]), tolerance) << l;
  }
  for (Index i = 0; i < local.own_marginals.size(); ++i) {
    EXPECT_NEAR(local.own_marginals[i],
                static_cast<double>(sums.marginals[graph.factor(0).parts_begin + i]), tolerance);
  }
}

// What a message is by definition, whatever the size of the chances: log-odds less the own score.
void check_messages(FactorKind kind, double scale, Random& random) {
  const FactorGraphLayout graph = over_switches(kind, random);
  const auto s = random_graphs::draw_scores(graph.num_parts(), scale, random);
  const Local local = sum_locally(graph, s);
  const std::span<const Literal> links = graph.links(graph.factor(0));
  std::vector<double> z(graph.num_parts());
  std::vector<std::vector<long double>> on(links.size()), off(links.size());
  for (const random_graphs::Values& values : random_graphs::legal_assignments(graph)) {
    graph.indicator(values, z);
    long double score = 0;
    for (Index p = 0; p < s.size(); ++p) score += static_cast<long double>(s[p]) * z[p];
    for (Index l = 0; l < links.size(); ++l) {
      (z[links[l].state] > 0 ? on : off)[l].push_back(score);
    }
  }
  const auto log_sum = [](const std::vector<long double>& scores) {
    if (scores.empty()) return -static_cast<long double>(kInfinity);
    const long double best = *std::max_element(scores.begin(), scores.end());
    long double total = 0;
    for (const long double score : scores) total += std::exp(score - best);
    return best + std::log(total);
  };
  if (local.log_sum == -kInfinity) return;
  for (Index l = 0; l < links.size(); ++l) {
    if (!graph.is_switch(graph.variable_of(links[l].state))) continue;
    const auto odds = static_cast<double>(log_sum(on[l]) - log_sum(off[l]));
    const double expected = odds - s[links[l].state];
    if (std::isinf(expected)) {
      EXPECT_EQ(local.messages[l], expected) << l;
    } else {
      EXPECT_NEAR(local.messages[l], expected, 1e-10 + 1e-13 * scale * 50) << l;
    }
  }
}

TEST(FactorSums, MessagesKeepTheirDigitsWhereChancesDoNot) {
  Random random(10);
  for (const FactorKind kind : kAllKinds) {
    for (const double scale : {1.0, 300.0, 1e3, 1e6}) {
      for (Index trial = 0; trial < 30; ++trial) {
        SCOPED_TRACE(testing::Message() << to_string(kind) << " at scale " << scale);
        check_messages(kind, scale, random);
      }
    }
  }
}

TEST(FactorSums, EqualEnumeration) {
  Random random(7);
  for (const FactorKind kind : kAllKinds) {
    for (const double scale : {0.01, 1.0, 30.0, 1e3, 1e6}) {
      for (Index trial = 0; trial < 40; ++trial) {
        SCOPED_TRACE(testing::Message() << to_string(kind) << " at scale " << scale);
        check_against_enumeration(kind, scale, random);
      }
    }
  }
}

// A message does not see its own link's score, to the last digits that the others leave.
TEST(FactorSums, MessagesAreOfTheOthers) {
  Random random(8);
  for (const FactorKind kind : kAllKinds) {
    for (Index trial = 0; trial < 40; ++trial) {
      const FactorGraphLayout graph = over_switches(kind, random);
      auto s = random_graphs::draw_scores(graph.num_parts(), 1, random);
      const Local before = sum_locally(graph, s);
      if (before.log_sum == -kInfinity || !graph.is_switch(0)) continue;
      s[0] -= 40;
      const Local after = sum_locally(graph, s);
      if (std::isinf(before.messages[0])) {
        EXPECT_EQ(after.messages[0], before.messages[0]) << to_string(kind);
      } else {
        EXPECT_NEAR(after.messages[0], before.messages[0], 1e-12) << to_string(kind);
      }
    }
  }
}

TEST(FactorSums, NeverGiveNaN) {
  Random random(9);
  for (const FactorKind kind : kAllKinds) {
    for (Index trial = 0; trial < 100; ++trial) {
      const FactorGraphLayout graph = over_switches(kind, random);
      const auto s = random_graphs::draw_scores(graph.num_parts(), 1e12, random);
      const Local local = sum_locally(graph, s);
      EXPECT_FALSE(std::isnan(local.log_sum));
      EXPECT_GE(local.entropy, 0);
      for (const double m : local.messages) EXPECT_FALSE(std::isnan(m)) << to_string(kind);
      for (const double p : local.own_marginals) EXPECT_TRUE(p >= 0 && p <= 1 + 1e-2);
    }
  }
}

TEST(FactorSums, SayWhereThereIsNoChoice) {
  FactorGraphBuilder builder;
  const std::uint32_t a = builder.state(builder.add_switch());
  builder.add_one_of(std::vector<Literal>{{a, true}});
  const FactorGraphLayout graph = builder.build();
  const Local local = sum_locally(graph, {3.0});
  EXPECT_EQ(local.messages[0], -kInfinity);
  EXPECT_EQ(local.log_sum, 0);
  EXPECT_EQ(local.entropy, 0);
}

}  // namespace
}  // namespace trellis
