// Random factor graphs of all kinds, small enough to enumerate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis::factor_instances {

using Values = std::vector<std::uint32_t>;

class RandomFactorGraph {
 public:
  explicit RandomFactorGraph(std::uint64_t seed) : random_(seed) {}

  // Variables and a few factors of random kinds; not always with a legal assignment.
  FactorGraphLayout any(Index most_factors = 4) {
    add_variables(2 + random_.below(4));
    const Index factors = 1 + random_.below(most_factors);
    for (Index f = 0; f < factors; ++f) add(static_cast<FactorKind>(random_.below(9)));
    return builder_.build();
  }
  // One factor of a kind alone; a logical one has switches, so that each of its states is free.
  FactorGraphLayout single(FactorKind kind) {
    const bool logical = kind >= FactorKind::kOneOf && kind <= FactorKind::kBudget;
    add_variables(3 + random_.below(3), logical);
    add(kind);
    return builder_.build();
  }

  Random& random() { return random_; }

 private:
  void add_variables(Index count, bool switches = false) {
    for (Index v = 0; v < count; ++v) {
      const Index arity = switches || random_.below(2) == 0 ? 1 : 2 + random_.below(2);
      variables_.push_back(static_cast<std::uint32_t>(builder_.add_variable(arity)));
      arity_.push_back(arity);
    }
  }
  std::uint32_t fresh_switch() {
    variables_.push_back(static_cast<std::uint32_t>(builder_.add_switch()));
    arity_.push_back(1);
    return variables_.back();
  }
  template <class Accept>
  Values draw_variables(Index most, const Accept& accept) {
    Values chosen;
    for (Index v = 0; v < variables_.size() && chosen.size() < most; ++v) {
      if (accept(v) && random_.below(3) != 0) chosen.push_back(variables_[v]);
    }
    return chosen;
  }
  Values draw_switches(Index least, Index most) {
    Values chosen = draw_variables(most, [&](Index v) { return arity_[v] == 1; });
    while (chosen.size() < least) chosen.push_back(fresh_switch());
    for (std::uint32_t& v : chosen) v = builder_.state(v);
    return chosen;
  }
  std::vector<Literal> draw_literals() {
    std::vector<Literal> literals;
    const Index states = builder_.build().num_states();
    for (Index i = 0; i < states && literals.size() < 5; ++i) {
      if (random_.below(2) == 0) {
        literals.push_back({static_cast<std::uint32_t>(i), random_.below(3) == 0});
      }
    }
    if (literals.empty()) literals.push_back({0, false});
    return literals;
  }
  void add_tree() {
    const Index words = 1 + random_.below(3);
    std::vector<TreeArc> arcs;
    Values switches;
    for (std::uint32_t m = 1; m <= words; ++m) {
      for (std::uint32_t h = 0; h <= words; ++h) {
        if (h == m || random_.below(4) == 0) continue;
        for (Index label = 0; label < (random_.below(6) == 0 ? 2U : 1U); ++label) {
          arcs.push_back({h, m, 0});
        }
      }
    }
    switches = draw_switches(arcs.size(), arcs.size());
    if (arcs.empty()) return;
    for (Index a = 0; a < arcs.size(); ++a) arcs[a].state = switches[a];
    builder_.add_tree(words, arcs, random_.below(2) == 0 ? Roots::kAny : Roots::kOne,
                      random_.below(2) == 0 ? Crossing::kAllowed : Crossing::kForbidden);
  }
  void add(FactorKind kind) {
    switch (kind) {
      case FactorKind::kTable: {
        Values scope = draw_variables(3, [](Index) { return true; });
        if (scope.empty()) scope = {variables_[0]};
        builder_.add_table(scope);
        break;
      }
      case FactorKind::kSequence: {
        const Values scope = draw_variables(4, [&](Index v) { return arity_[v] > 1; });
        if (!scope.empty()) builder_.add_sequence(scope);
        break;
      }
      case FactorKind::kPair:
        if (variables_.size() > 1) {
          const Index a = random_.below(variables_.size());
          const Index b = (a + 1 + random_.below(variables_.size() - 1)) % variables_.size();
          builder_.add_pair(builder_.state(variables_[a], random_.below(arity_[a])),
                            builder_.state(variables_[b], random_.below(arity_[b])));
        }
        break;
      case FactorKind::kHead:
        builder_.add_head(draw_switches(1 + random_.below(3), 4));
        break;
      case FactorKind::kOneOf:
        builder_.add_one_of(draw_literals());
        break;
      case FactorKind::kAtMostOne:
        builder_.add_at_most_one(draw_literals());
        break;
      case FactorKind::kOr:
        builder_.add_or(draw_literals());
        break;
      case FactorKind::kBudget:
        builder_.add_budget(draw_literals(), random_.below(4));
        break;
      case FactorKind::kTree:
        add_tree();
        break;
    }
  }

  Random random_;
  FactorGraphBuilder builder_;
  Values variables_;
  std::vector<Index> arity_;
};

// visit(values) for each assignment, legal or not.
template <class Visit>
void each_assignment(const FactorGraphLayout& graph, const Visit& visit) {
  Values values(graph.num_variables(), 0);
  for (;;) {
    visit(values);
    Index v = 0;
    while (v < values.size() && values[v] + 1 == graph.num_values(v)) values[v++] = 0;
    if (v == values.size()) return;
    ++values[v];
  }
}

inline std::vector<Values> legal_assignments(const FactorGraphLayout& graph) {
  std::vector<Values> all;
  each_assignment(graph, [&](const Values& values) {
    if (graph.legal(values)) all.push_back(values);
  });
  return all;
}

// The best score of all, by enumeration; −∞ where nothing is legal.
inline double best_score(const FactorGraphLayout& graph, std::span<const double> s) {
  double best = -kInfinity;
  each_assignment(graph, [&](const Values& values) {
    if (graph.legal(values)) best = std::max(best, graph.score(s, values));
  });
  return best;
}

inline std::vector<double> normal_scores(const FactorGraphLayout& graph, double size,
                                         Random& random) {
  std::vector<double> s(graph.num_parts());
  for (double& score : s) score = size * random.normal();
  return s;
}

inline Index num_assignments(const FactorGraphLayout& graph) {
  Index count = 1;
  for (Index v = 0; v < graph.num_variables(); ++v) count *= graph.num_values(v);
  return count;
}

}  // namespace trellis::factor_instances
