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

enum class Cycles { kNone, kAny };

// Factors of random kinds over few variables, of arity 1 … 3, so that they can be enumerated. A
// factor takes variables that are there or adds new ones; without cycles, at most one of each of
// the components that there are.
class GraphMaker {
 public:
  GraphMaker(Random& random, Cycles cycles, Index most_variables)
      : random_(random), cycles_(cycles), most_variables_(most_variables) {}

  void add(FactorKind kind) {
    taken_.clear();
    switch (kind) {
      case FactorKind::kTable:
        builder_.add_table(variables(1 + random_.below(3), 1, 3));
        break;
      case FactorKind::kSequence:
        builder_.add_sequence(variables(1 + random_.below(4), 2, 3));
        break;
      case FactorKind::kPair: {
        const std::vector<std::uint32_t> two = variables(2, 1, 3);
        builder_.add_pair(some_state(two[0]), some_state(two[1]));
        break;
      }
      case FactorKind::kHead:
        builder_.add_head(switches(1 + random_.below(5)));
        break;
      case FactorKind::kOneOf:
        builder_.add_one_of(literals(1 + random_.below(5)));
        break;
      case FactorKind::kAtMostOne:
        builder_.add_at_most_one(literals(1 + random_.below(5)));
        break;
      case FactorKind::kOr:
        builder_.add_or(literals(1 + random_.below(5)));
        break;
      case FactorKind::kBudget: {
        const std::vector<Literal> some = literals(1 + random_.below(5));
        builder_.add_budget(some, random_.below(some.size() + 1));
        break;
      }
      case FactorKind::kTree:
        add_tree();
        break;
    }
    for (const std::uint32_t v : taken_) join(taken_[0], v);
  }
  Index num_variables() const { return arity_.size(); }
  FactorGraphLayout build() const { return builder_.build(); }

 private:
  std::uint32_t component(std::uint32_t v) const {
    while (parent_[v] != v) v = parent_[v];
    return v;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[component(a)] = component(b); }

  bool may_take(std::uint32_t v, Index least, Index most) const {
    if (arity_[v] < least || arity_[v] > most) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](std::uint32_t other) {
      return other == v || (cycles_ == Cycles::kNone && component(other) == component(v));
    });
  }

  std::uint32_t variable(Index least, Index most) {
    const bool full = arity_.size() >= most_variables_;
    if (full || random_.below(2) == 0) {
      std::vector<std::uint32_t> fit;
      for (std::uint32_t v = 0; v < arity_.size(); ++v) {
        if (may_take(v, least, most)) fit.push_back(v);
      }
      if (!fit.empty()) {
        taken_.push_back(fit[random_.below(fit.size())]);
        return taken_.back();
      }
    }
    arity_.push_back(least + random_.below(most - least + 1));
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    taken_.push_back(static_cast<std::uint32_t>(builder_.add_variable(arity_.back())));
    return taken_.back();
  }
  std::vector<std::uint32_t> variables(Index count, Index least, Index most) {
    std::vector<std::uint32_t> made;
    for (Index i = 0; i < count; ++i) made.push_back(variable(least, most));
    return made;
  }
  std::vector<std::uint32_t> switches(Index count) {
    std::vector<std::uint32_t> states;
    for (const std::uint32_t v : variables(count, 1, 1)) states.push_back(builder_.state(v));
    return states;
  }
  std::uint32_t some_state(std::uint32_t v) { return builder_.state(v, random_.below(arity_[v])); }
  std::vector<Literal> literals(Index count) {
    std::vector<Literal> made;
    for (const std::uint32_t v : variables(count, 1, 3)) {
      made.push_back({some_state(v), random_.below(3) == 0});
    }
    return made;
  }
  void add_tree() {
    const Index words = 1 + random_.below(3);
    std::vector<TreeArc> arcs;
    const auto add = [&](std::uint32_t h, std::uint32_t m) {
      arcs.push_back({h, m, builder_.state(variable(1, 1))});
    };
    for (std::uint32_t m = 1; m <= words; ++m) {
      for (std::uint32_t h = 0; h <= words; ++h) {
        if (h == m || (h != 0 && random_.below(5) == 0)) continue;
        add(h, m);
        if (random_.below(8) == 0) add(h, m);
      }
    }
    builder_.add_tree(words, arcs, random_.below(2) == 0 ? Roots::kAny : Roots::kOne,
                      random_.below(2) == 0 ? Crossing::kAllowed : Crossing::kForbidden);
  }

  Random& random_;
  Cycles cycles_;
  Index most_variables_;
  FactorGraphBuilder builder_;
  std::vector<std::uint32_t> taken_;  // by the factor that is being added
  std::vector<std::uint32_t> parent_;
  std::vector<Index> arity_;
};

inline FactorGraphLayout single_factor(FactorKind kind, Random& random) {
  GraphMaker maker(random, Cycles::kNone, 0);
  maker.add(kind);
  return maker.build();
}

inline FactorGraphLayout random_graph(Cycles cycles, Index factors, Index most_variables,
                                      Random& random) {
  GraphMaker maker(random, cycles, most_variables);
  for (Index f = 0; f < factors && maker.num_variables() < most_variables + 3; ++f) {
    maker.add(kAllKinds[random.below(std::size(kAllKinds))]);
  }
  return maker.build();
}

}  // namespace trellis::random_graphs
