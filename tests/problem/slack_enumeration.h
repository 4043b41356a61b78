// Rescaled slacks by the definition: the largest product of cost and what an output lacks in
// margin.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/part_model.h"

namespace trellis::testing {

template <class M>
using AllOutputs = std::function<std::vector<typename M::Structure::Output>(Index i)>;
template <class M>
using CostOf = std::function<double(Index i, const typename M::Structure::Output& y)>;

template <class M>
CostOf<M> linear_cost(const M& model) {
  return [&model](Index i, const typename M::Structure::Output& y) {
    const auto structure = model.structure(i);
    std::vector<double> costs(structure.num_parts(), 0.0);
    model.add_costs(i, 1, costs);
    return structure.score(costs, y) - structure.score(costs, model.gold(i));
  };
}

template <class M>
double rescaled_by_enumeration(const M& model, Index i, double gamma, std::span<const double> w,
                               const AllOutputs<M>& outputs, const CostOf<M>& cost) {
  const auto structure = model.structure(i);
  std::vector<double> s(structure.num_parts());
  model.scores(i, w, s);
  const double gold = structure.score(s, model.gold(i));
  double worst = 0;
  for (const auto& y : outputs(i)) {
    worst = std::max(worst, cost(i, y) * (gamma + structure.score(s, y) - gold));
  }
  return model.example_weight(i) * worst;
}

// Every number of `length` digits below `base`.
inline std::vector<std::vector<Label>> all_numbers(Index length, Index base) {
  std::vector<std::vector<Label>> all = {{}};
  for (Index t = 0; t < length; ++t) {
    std::vector<std::vector<Label>> longer;
    for (const std::vector<Label>& y : all) {
      for (Index k = 0; k < base; ++k) {
        longer.push_back(y);
        longer.back().push_back(static_cast<Label>(k));
      }
    }
    all = std::move(longer);
  }
  return all;
}

inline std::vector<std::vector<Label>> all_sets(Index size) {
  return all_numbers(size, 2);
}

// The legal label sequences of each example.
inline AllOutputs<ChainModel> all_sequences(const ChainModel& model) {
  return [&model](Index i) {
    const Chain chain = model.structure(i);
    std::vector<std::vector<Label>> all = all_numbers(chain.length(), chain.states().num_labels());
    std::erase_if(all, [&](const std::vector<Label>& y) { return !chain.legal(y); });
    return all;
  };
}

}  // namespace trellis::testing
