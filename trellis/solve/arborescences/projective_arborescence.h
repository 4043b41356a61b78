// The best dependency tree whose arcs do not cross: of parallel arcs the best is taken, and of
// those the tree, by Eisner's algorithm (projective_spans.h). O(A + n³) time for A arcs and n
// words.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/projective_spans.h"

namespace trellis {

// The semiring of best items for ProjectiveSpans::fill.
struct BestSpans {
  static constexpr double kOne = 0;
  static double times(double a, double b) { return a + b; }
  // Four partial maxima, which do not wait for each other.
  static double sum(const SpanChoices& choices) {
    const double* left = choices.left;
    const double* right = choices.right;
    std::array<double, 4> best{-kInfinity, -kInfinity, -kInfinity, -kInfinity};
    Index c = 0;
    for (; c + 4 <= choices.count; c += 4) {
      for (Index i = 0; i < 4; ++i) {
        const double value = left[c + i] + right[c + i];
        best[i] = value > best[i] ? value : best[i];
      }
    }
    for (; c < choices.count; ++c) {
      const double value = left[c] + right[c];
      best[0] = value > best[0] ? value : best[0];
    }
    return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
  }
};

// Reuses its memory in repeated calls; use one object per thread.
class ProjectiveArborescence {
 public:
  // As MaximumArborescence::solve.
  bool solve(const ArcGraph& graph, std::span<const double> scores, Roots roots,
             std::span<std::uint32_t> arcs);

 private:
  ProjectiveSpans spans_;
  std::vector<ProjectiveSpans::Span> open_;
};

}  // namespace trellis
