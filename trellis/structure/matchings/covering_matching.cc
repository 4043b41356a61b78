#include "trellis/structure/matchings/covering_matching.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

Matching matching_of(Index num_left, Index num_right, const MatchingEdges* edges) {
  if (edges == nullptr) return Matching(num_left, num_right, Cover::kPerfect);
  if (edges->num_left() != num_left || edges->num_right() != num_right) {
    throw UsageError("the edges of a matching are of another graph than its nodes");
  }
  return Matching(*edges, Cover::kPerfect);
}

double log_factorial(Index n) {
  double sum = 0;
  for (Index k = 2; k <= n; ++k) sum += portable_log(static_cast<double>(k));
  return sum;
}

}  // namespace

CoveringMatching::CoveringMatching(Index num_left, Index num_right, const MatchingEdges* edges)
    : matching_(matching_of(num_left, num_right, edges)),
      square_(std::max(num_left, num_right)),
      edges_(edges),
      log_completions_(
          log_factorial(std::max(num_left, num_right) - std::min(num_left, num_right))),
      far_below_(1000 + log_factorial(std::max(num_left, num_right))) {}

template <class Visit>
void CoveringMatching::for_each_part(const Visit& visit) const {
  const Index m = square_.size();
  if (edges_ == nullptr) {
    for (Index i = 0; i < num_left(); ++i) {
      for (Index j = 0; j < num_right(); ++j) visit(i * num_right() + j, i * m + j);
    }
    return;
  }
  const BipartiteGraph graph = edges_->graph();
  const std::span<const Index> parts = edges_->parts();
  for (Index i = 0; i < graph.rows; ++i) {
    for (Index e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      visit(parts.empty() ? e : parts[e], i * m + graph.column[e]);
    }
  }
}

bool CoveringMatching::complete(std::span<const double> s, Scratch& scratch) const {
  const Index m = square_.size();
  const bool added = num_left() != num_right();
  double low = added || s.empty() ? 0.0 : s[0];
  double high = low;
  for (const double score : s) {
    low = std::min(low, score);
    high = std::max(high, score);
  }
  if (edges_ != nullptr && matching_.maximize(s, scratch.matching, scratch.best) == kImpossible) {
    return false;
  }
  const double absent = low - static_cast<double>(m) * (high - low) - far_below_;
  scratch.scores.assign(m * m, 0.0);
  for (Index i = 0; i < num_left(); ++i) {
    std::fill_n(scratch.scores.begin() + static_cast<std::ptrdiff_t>(i * m), num_right(), absent);
  }
  for_each_part([&](Index part, Index place) { scratch.scores[place] = s[part]; });
  return true;
}

double CoveringMatching::log_partition(std::span<const double> s, Scratch& scratch,
                                       std::span<double> marginals) const {
  if (plain()) return square_.log_partition(s, scratch.permutation, marginals);
  if (!complete(s, scratch)) {
    std::fill(marginals.begin(), marginals.end(), 0.0);
    return kImpossible;
  }
  scratch.marginals.resize(scratch.scores.size());
  const double log_sum =
      square_.log_partition(scratch.scores, scratch.permutation, scratch.marginals);
  for_each_part([&](Index part, Index place) { marginals[part] = scratch.marginals[place]; });
  return log_sum - log_completions_;
}

double CoveringMatching::log_partition(std::span<const double> s, Scratch& scratch) const {
  if (plain()) return square_.log_partition(s, scratch.permutation);
  if (!complete(s, scratch)) return kImpossible;
  return square_.log_partition(scratch.scores, scratch.permutation) - log_completions_;
}

double CoveringMatching::entropy(std::span<const double> s, Scratch& scratch) const {
  if (plain()) return square_.entropy(s, scratch.permutation);
  if (!complete(s, scratch)) return 0;
  return std::max(0.0, square_.entropy(scratch.scores, scratch.permutation) - log_completions_);
}

void CoveringMatching::sample(std::span<const double> s, Random& random, Scratch& scratch,
                              Output& y) const {
  if (plain()) return square_.sample(s, random, scratch.permutation, y);
  y.clear();
  if (!complete(s, scratch)) return;
  scratch.drawn.resize(1);
  square_.sample(scratch.scores, random, scratch.permutation, scratch.drawn[0]);
  restrict_to_graph(scratch.drawn[0], y);
}

LogSumEstimate CoveringMatching::sample_and_estimate(std::span<const double> s, Index draws,
                                                     Random& random, Scratch& scratch,
                                                     std::vector<Output>& outputs) const {
  if (plain()) return square_.sample_and_estimate(s, draws, random, scratch.permutation, outputs);
  if (!complete(s, scratch)) {
    throw UsageError("cannot draw a matching: no matching of these edges covers the smaller side");
  }
  LogSumEstimate estimate = square_.sample_and_estimate(scratch.scores, draws, random,
                                                        scratch.permutation, scratch.drawn);
  estimate.value -= log_completions_;
  outputs.resize(draws);
  for (Index k = 0; k < draws; ++k) restrict_to_graph(scratch.drawn[k], outputs[k]);
  return estimate;
}

void CoveringMatching::restrict_to_graph(const Permutation::Output& whole, Output& y) const {
  y.assign(num_left(), kNoLabel);
  for (Index i = 0; i < num_left(); ++i) {
    if (static_cast<Index>(whole[i]) < num_right()) y[i] = whole[i];
  }
}

}  // namespace trellis
