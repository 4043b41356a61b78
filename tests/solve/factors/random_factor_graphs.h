// Small random factor graphs of all kinds, and what enumeration says about them. Reference sums run
// in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis::random_graphs {

using Values = std::vector<std::uint32_t>;

inline constexpr FactorKind kAllKinds[] = {
    FactorKind::kTable, FactorKind::kSequence, FactorKind::kPair,
    FactorKind::kHead,  FactorKind::kOneOf,    FactorKind::kAtMostOne,
    FactorKind::kOr,    FactorKind::kBudget,   FactorKind::kTree};

// All assignments that every factor allows.
inline std::vector<Values> legal_assignments(const FactorGraphLayout& graph) {
  std::vector<Values> legal;
  Values values(graph.num_variables(), 0);
  for (;;) {
    if (graph.legal(values)) legal.push_back(values);
    Index v = 0;
    while (v < values.size() && ++values[v] == graph.num_values(v)) values[v++] = 0;
    if (v == values.size()) return legal;
  }
}

struct Sums {
  long double log_sum = -kInfinity;
  long double entropy = 0;
  std::vector<long double> marginals;  // by part
  std::vector<double> best;            // an indicator of the best assignment
  double magnitude = 0;                // Σ |s|: what rounding is relative to
};

inline Sums enumerate_sums(const FactorGraphLayout& graph, const std::vector<double>& s) {
  Sums sums;
  sums.marginals.assign(graph.num_parts(), 0);
  sums.magnitude = std::accumulate(s.begin(), s.end(), 0.0,
                                   [](double total, double x) { return total + std::abs(x); });
  std::vector<std::vector<double>> z;
  std::vector<long double> scores;
  for (const Values& values : legal_assignments(graph)) {
    z.emplace_back(graph.num_parts());
    graph.indicator(values, z.back());
    scores.push_back(0);
    for (Index p = 0; p < s.size(); ++p) {
      scores.back() += static_cast<long double>(s[p]) * z.back()[p];
    }
  }
  if (scores.empty()) return sums;
  const auto largest = std::max_element(scores.begin(), scores.end());
  const long double best = *largest;
  sums.best = z[static_cast<Index>(largest - scores.begin())];
  long double total = 0;
  for (const long double score : scores) total += std::exp(score - best);
  sums.log_sum = best + std::log(total);
  for (Index i = 0; i < scores.size(); ++i) {
    const long double p = std::exp(scores[i] - best) / total;
    if (p > 0) sums.entropy += p * (std::log(total) - (scores[i] - best));
    for (Index part = 0; part < s.size(); ++part) sums.marginals[part] += p * z[i][part];
  }
  return sums;
}

inline std::vector<double> draw_scores(Index size, double scale, Random& random) {
  std::vector<double> s(size);
  for (double& score : s) score = scale * random.normal();
  return s;
}

// Adds variables, which no other factor has yet, and a factor of the kind on top of them.
inline void add_own_factor(FactorGraphBuilder& builder, FactorKind kind, Random& random) {
  const auto switches = [&](Index count) {
    std::vector<std::uint32_t> states;
    for (Index i = 0; i < count; ++i) states.push_back(builder.state(builder.add_switch()));
    return states;
  };
  const auto variables = [&](Index count, Index least_arity) {
    std::vector<std::uint32_t> made;
    for (Index i = 0; i < count; ++i) {
      const Index arity = least_arity + random.below(4 - least_arity);
      made.push_back(static_cast<std::uint32_t>(builder.add_variable(arity)));
    }
    return made;
  };
  const auto literals = [&](Index count) {
    std::vector<Literal> made;
    for (const std::uint32_t v : variables(count, 1)) {
      made.push_back({builder.state(v), random.below(3) == 0});
    }
    return made;
  };
  switch (kind) {
    case FactorKind::kTable:
      builder.add_table(variables(1 + random.below(3), 1));
      break;
    case FactorKind::kSequence:
      builder.add_sequence(variables(1 + random.below(4), 2));
      break;
    case FactorKind::kPair: {
      const std::vector<std::uint32_t> two = variables(2, 1);
      builder.add_pair(builder.state(two[0]), builder.state(two[1]));
      break;
    }
    case FactorKind::kHead:
      builder.add_head(switches(1 + random.below(5)));
      break;
    case FactorKind::kOneOf:
      builder.add_one_of(literals(1 + random.below(5)));
      break;
    case FactorKind::kAtMostOne:
      builder.add_at_most_one(literals(1 + random.below(5)));
      break;
    case FactorKind::kOr:
      builder.add_or(literals(1 + random.below(5)));
      break;
    case FactorKind::kBudget: {
      const std::vector<Literal> some = literals(1 + random.below(5));
      builder.add_budget(some, random.below(some.size() + 1));
      break;
    }
    case FactorKind::kTree: {
      const Index words = 1 + random.below(3);
      std::vector<TreeArc> arcs;
      for (std::uint32_t m = 1; m <= words; ++m) {
        for (std::uint32_t h = 0; h <= words; ++h) {
          if (h == m || (h != 0 && random.below(5) == 0)) continue;
          arcs.push_back({h, m, builder.state(builder.add_switch())});
          if (random.below(8) == 0) arcs.push_back({h, m, builder.state(builder.add_switch())});
        }
      }
      builder.add_tree(words, arcs, random.below(2) == 0 ? Roots::kAny : Roots::kOne,
                       random.below(2) == 0 ? Crossing::kAllowed : Crossing::kForbidden);
      break;
    }
  }
}

inline FactorGraphLayout single_factor(FactorKind kind, Random& random) {
  FactorGraphBuilder builder;
  add_own_factor(builder, kind, random);
  return builder.build();
}

}  // namespace trellis::random_graphs
