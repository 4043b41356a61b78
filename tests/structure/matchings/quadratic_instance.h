// Small random quadratic matchings, and all their outputs by brute force.
#pragma once

#include <cstdlib>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/random.h"
#include "trellis/structure/matchings/quadratic_matching.h"

namespace trellis::conformance {

// A graph of up to `most` nodes a side, whole or sparse, with pairs of neighbours or of any edges.
class QuadraticInstance {
 public:
  QuadraticInstance(Index left, Index right, Index most_links, Random& random)
      : edges_(draw_edges(left, right, random)),
        graph_(left, right, edges_),
        pairs_(draw_pairs(edges_, random)),
        structure_(graph_, most_links, pairs_) {}

  const QuadraticMatching& structure() const { return structure_; }

  // Scores of a kind, with the signs that they must have.
  std::vector<double> scores(Scores kind, Random& random) const {
    std::vector<double> s = draw_scores(kind, structure_.num_parts(), random);
    const QuadraticParts& parts = structure_.parts();
    for (Index n = 0; n < parts.num_nodes(); ++n) {
      double before = 0;
      for (Index d = 2; d <= parts.most_links; ++d) {
        double& score = s[parts.degree_part(n, d)];
        before = score = std::min(before, before - std::abs(score) / 2 + (d > 2 ? -before / 4 : 0));
      }
    }
    for (Index p = parts.first_pair(); p < s.size(); ++p) s[p] = std::abs(s[p]) / 2;
    return s;
  }

  std::vector<QuadraticMatching::Output> outputs() const {
    std::vector<QuadraticMatching::Output> all;
    QuadraticMatching::Output y;
    list(0, y, all);
    return all;
  }

 private:
  using Edges = std::vector<MatchingEdges::Edge>;

  static Edges draw_edges(Index left, Index right, Random& random) {
    const double density = random.below(2) == 0 ? 1.0 : 0.6;
    Edges edges;
    for (std::uint32_t j = 0; j < left; ++j) {
      for (std::uint32_t k = 0; k < right; ++k) {
        if (random.uniform() < density) edges.push_back({j, k});
      }
    }
    return edges;
  }

  static std::vector<EdgePair> draw_pairs(const Edges& edges, Random& random) {
    enum { kNone, kNeighbours, kOneStep, kAny };
    const auto pattern = random.below(4);
    std::vector<EdgePair> pairs;
    for (std::uint32_t a = 0; a < edges.size(); ++a) {
      for (std::uint32_t b = a + 1; b < edges.size(); ++b) {
        const int rows = static_cast<int>(edges[b].left) - static_cast<int>(edges[a].left);
        const int columns = static_cast<int>(edges[b].right) - static_cast<int>(edges[a].right);
        const bool near = rows <= 1 && std::abs(columns) <= 1;
        const bool step = rows == 1 && columns == 1;
        const bool any = random.below(4) == 0;
        if ((pattern == kNeighbours && near) || (pattern == kOneStep && step) ||
            (pattern == kAny && any)) {
          pairs.push_back({a, b});
        }
      }
    }
    return pairs;
  }

  void list(std::uint32_t e, QuadraticMatching::Output& y,
            std::vector<QuadraticMatching::Output>& all) const {
    if (!structure_.legal(y)) return;
    if (e == edges_.size()) {
      all.push_back(y);
      return;
    }
    list(e + 1, y, all);
    y.push_back(e);
    list(e + 1, y, all);
    y.pop_back();
  }

  Edges edges_;
  MatchingEdges graph_;
  std::vector<EdgePair> pairs_;
  QuadraticMatching structure_;
};

}  // namespace trellis::conformance
