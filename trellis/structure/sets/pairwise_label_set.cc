#include "trellis/structure/sets/pairwise_label_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {
namespace {

void require_distinct_pairs(Index num_labels, std::span<const NodePair> pairs) {
  for (Index p = 0; p < pairs.size(); ++p) {
    const auto [v, w] = pairs[p];
    if (v >= num_labels || w >= num_labels) {
      throw UsageError(fmt::format("pair {} is of labels {} and {}: there are only {} labels", p, v,
                                   w, num_labels));
    }
    if (v == w) throw UsageError(fmt::format("pair {} is of label {} with itself", p, v));
  }
  std::vector<NodePair> sorted(pairs.begin(), pairs.end());
  for (NodePair& pair : sorted) pair = {std::min(pair.j, pair.k), std::max(pair.j, pair.k)};
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw UsageError(fmt::format("labels {} and {} are a pair twice", twice->j, twice->k));
  }
}

}  // namespace

PairwiseLabelSet::PairwiseLabelSet(Index num_labels, std::span<const NodePair> pairs)
    : num_labels_(num_labels), pairs_(pairs) {
  require_distinct_pairs(num_labels, pairs);
}

bool PairwiseLabelSet::legal(const Output& y) const {
  return y.size() == num_labels_ &&
         std::all_of(y.begin(), y.end(), [](Label label) { return label == 0 || label == 1; });
}

void PairwiseLabelSet::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::copy(y.begin(), y.end(), z.begin());
  for (Index p = 0; p < pairs_.size(); ++p) {
    z[pair_part(p)] = y[pairs_[p].j] != 0 && y[pairs_[p].k] != 0 ? 1 : 0;
  }
}

double PairwiseLabelSet::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  double sum = 0;
  for (Index v = 0; v < num_labels_; ++v) {
    if (y[v] != 0) sum += s[v];
  }
  for (Index p = 0; p < pairs_.size(); ++p) {
    if (y[pairs_[p].j] != 0 && y[pairs_[p].k] != 0) sum += s[pair_part(p)];
  }
  return sum;
}

void PairwiseLabelSet::require_attraction(std::span<const double> s) const {
  for (Index p = 0; p < pairs_.size(); ++p) {
    const double score = s[pair_part(p)];
    if (!(score >= 0) || !std::isfinite(score)) {
      throw UsageError(
          fmt::format("pair {} of labels {} and {} has the score {}: expected a "
                      "finite number ≥ 0",
                      p, pairs_[p].j, pairs_[p].k, score));
    }
  }
}

double PairwiseLabelSet::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  assert(s.size() == num_parts());
  require_attraction(s);
  scratch.supply.assign(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(num_labels_));
  scratch.capacity.resize(pairs_.size());
  for (Index p = 0; p < pairs_.size(); ++p) {
    const double half = s[pair_part(p)] / 2;
    scratch.capacity[p] = half;
    scratch.supply[pairs_[p].j] += half;
    scratch.supply[pairs_[p].k] += half;
  }
  scratch.max_flow.set_graph(num_labels_, pairs_);
  scratch.max_flow.solve(scratch.supply, scratch.capacity, scratch.capacity);
  y.resize(num_labels_);
  for (Index v = 0; v < num_labels_; ++v) y[v] = scratch.max_flow.on_source_side(v) ? 1 : 0;
  return score(s, y);
}

LinearProgram PairwiseLabelSet::linear_program() const {
  LinearProgram program;
  program.num_parts = program.num_variables = num_parts();
  program.upper_bounds.assign(num_parts(), 1.0);
  for (Index p = 0; p < pairs_.size(); ++p) {
    for (const Index end : {Index{pairs_[p].j}, Index{pairs_[p].k}}) {
      program.rows.push_back({{{pair_part(p), 1.0}, {end, -1.0}}, -1, 0});
    }
  }
  return program;
}

}  // namespace trellis
