#include "trellis/structure/matchings/quadratic_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {
namespace {

void require_pairs(Index num_edges, std::span<const EdgePair> pairs) {
  for (Index p = 0; p < pairs.size(); ++p) {
    const auto [a, b] = pairs[p];
    if (a >= b)
      throw UsageError(fmt::format("pair {} is of edges {} and {}: expected a < b", p, a, b));
    if (b >= num_edges) {
      throw UsageError(
          fmt::format("pair {} is of edges {} and {}: there are only {}", p, a, b, num_edges));
    }
  }
  if (std::is_sorted(pairs.begin(), pairs.end()) &&
      std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end()) {
    return;
  }
  std::vector<EdgePair> sorted(pairs.begin(), pairs.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw UsageError(fmt::format("edges {} and {} are a pair twice", twice->a, twice->b));
  }
}

}  // namespace

QuadraticMatching::QuadraticMatching(const MatchingEdges& edges, Index most_links,
                                     std::span<const EdgePair> pairs)
    : parts_{edges.graph(), most_links, pairs} {
  if (!edges.parts().empty()) {
    throw UsageError("the edges of a quadratic matching must be sorted by left, then right node");
  }
  if (most_links < 1 || most_links > kMostLinks) {
    throw UsageError(fmt::format("a node of a quadratic matching may have 1 to {} edges, not {}",
                                 kMostLinks, most_links));
  }
  require_pairs(num_edges(), pairs);
}

bool QuadraticMatching::legal(const Output& y) const {
  std::vector<Index> degree(parts_.num_nodes(), 0);
  for (Index i = 0; i < y.size(); ++i) {
    if (y[i] >= num_edges() || (i > 0 && y[i] <= y[i - 1])) return false;
    if (++degree[parts_.left_node(y[i])] > most_links()) return false;
    if (++degree[parts_.right_node(y[i])] > most_links()) return false;
  }
  return true;
}

void QuadraticMatching::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(num_edges()), 0.0);
  for (const std::uint32_t e : y) z[e] = 1;
  complete_parts(parts_, z);
}

double QuadraticMatching::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  ExactSum sum;
  for (const std::uint32_t e : y) sum.add(s[e]);
  if (most_links() > 1) {
    for (Index i = 0; i < y.size(); ++i) {
      // The edge is the d-th of its nodes, counting from the first of y.
      Index left = 1, right = 1;
      for (Index before = 0; before < i; ++before) {
        left += parts_.left_node(y[before]) == parts_.left_node(y[i]) ? 1 : 0;
        right += parts_.right_node(y[before]) == parts_.right_node(y[i]) ? 1 : 0;
      }
      if (left > 1) sum.add(s[parts_.degree_part(parts_.left_node(y[i]), left)]);
      if (right > 1) sum.add(s[parts_.degree_part(parts_.right_node(y[i]), right)]);
    }
  }
  for (Index p = 0; p < parts_.pairs.size(); ++p) {
    const auto [a, b] = parts_.pairs[p];
    if (std::binary_search(y.begin(), y.end(), a) && std::binary_search(y.begin(), y.end(), b)) {
      sum.add(s[parts_.first_pair() + p]);
    }
  }
  return sum.value();
}

void QuadraticMatching::require_signs(std::span<const double> s) const {
  assert(s.size() == num_parts());
  for (Index n = 0; n < parts_.num_nodes(); ++n) {
    for (Index d = 2; d <= most_links(); ++d) {
      const double score = s[parts_.degree_part(n, d)];
      const double before = d > 2 ? s[parts_.degree_part(n, d - 1)] : 0.0;
      if (score <= before && std::isfinite(score)) continue;
      const bool left = n < num_left();
      throw UsageError(fmt::format(
          "edge {} of {} node {} has the score {}: expected a finite number ≤ {}, for each further "
          "edge of a node costs as much as the one before, or more",
          d, left ? "left" : "right", left ? n : n - num_left(), score, before));
    }
  }
  for (Index p = 0; p < parts_.pairs.size(); ++p) {
    const double score = s[parts_.first_pair() + p];
    if (score >= 0 && std::isfinite(score)) continue;
    throw UsageError(
        fmt::format("pair {} of edges {} and {} has the score {}: expected a finite number ≥ 0", p,
                    parts_.pairs[p].a, parts_.pairs[p].b, score));
  }
}

double QuadraticMatching::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  return search_within(QuadraticSearch::kNoLimit, s, scratch, y).value;
}

MaximumBounds QuadraticMatching::search_within(Index most_nodes, std::span<const double> s,
                                               Scratch& scratch, Output& y) const {
  require_signs(s);
  scratch.search.maximize(parts_, s, y, most_nodes);
  const double value = score(s, y);
  const Search& search = scratch.search.summary();
  return {value, search.proven ? value : std::max(value, search.bound)};
}

void QuadraticMatching::k_best(std::span<const double> s, Index k, Scratch& scratch,
                               std::vector<ScoredOutput<Output>>& best) const {
  k_best_within(QuadraticSearch::kNoLimit, s, k, scratch, best);
}

double QuadraticMatching::k_best_within(Index most_nodes, std::span<const double> s, Index k,
                                        Scratch& scratch,
                                        std::vector<ScoredOutput<Output>>& best) const {
  require_signs(s);
  scratch.search.k_best(parts_, s, k, scratch.best, most_nodes);
  best.resize(scratch.best.size());
  for (Index i = 0; i < best.size(); ++i) {
    best[i].output.swap(scratch.best[i]);
    best[i].score = score(s, best[i].output);
  }
  // Sums that differ in their last bits alone come from the search in any order.
  std::stable_sort(best.begin(), best.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return scratch.search.summary().bound;
}

QuadraticMatching::Relaxation QuadraticMatching::relax(std::span<const double> s, Scratch& scratch,
                                                       std::span<double> z) const {
  require_signs(s);
  Relaxation relaxation;
  relaxation.programs = scratch.relaxation.solve(parts_, s, z);
  ExactSum sum;
  for (Index p = 0; p < z.size(); ++p) sum.add(s[p] * z[p]);
  relaxation.value = sum.value();
  for (Index e = 0; e < num_edges(); ++e) {
    if (z[e] != 0 && z[e] != 1) ++relaxation.fractional_edges;
  }
  return relaxation;
}

}  // namespace trellis
