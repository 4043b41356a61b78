// The k best assignments of a factor graph, best first (Lawler 1972): what is left when the best of
// a set of assignments is taken out falls into parts by the first variable that differs, and the
// best of each part is found by a search of its own (map_search.h), which looks only for what
// scores above the k-th of those found so far. At most k · n searches for n variables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/map_search.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class KBestAssignments {
 public:
  struct Result {
    std::vector<std::uint32_t> values;
    double score = 0;
  };

  // Fewer than k where there are no more; `search` is memory.
  void solve(const FactorGraphLayout& graph, std::span<const double> s, Index k, MapSearch& search,
             std::vector<Result>& best);

 private:
  // A set of assignments: those of which `required` hold, where the first `num_same` variables have
  // one value in all; and its best.
  struct Part {
    std::vector<Literal> required;
    Index num_same = 0;
    Result best;
  };

  void add_part(const FactorGraphLayout& graph, std::span<const double> s, MapSearch& search,
                std::vector<Literal> required, Index num_same);
  void remember(double score);
  void divide(const FactorGraphLayout& graph, std::span<const double> s, MapSearch& search,
              const Part& part);

  Index k_ = 0;
  std::vector<Part> parts_;  // a heap
  std::vector<double> top_;  // the k best scores found so far: a heap, the worst in front
};

}  // namespace trellis
