// A bipartite graph between rows and columns, as the solvers of matchings read it: complete, or a
// list of edges by rows. Edge numbers are the positions of weights: i·columns + j where the graph
// is complete, the place in `column` otherwise.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis {

struct BipartiteGraph {
  Index rows = 0;
  Index columns = 0;
  std::span<const Index> begin;           // rows + 1 places in `column`; none: all pairs are edges
  std::span<const std::uint32_t> column;  // of each edge; no column twice in a row

  bool complete() const { return begin.empty(); }
  Index num_edges() const { return complete() ? rows * columns : column.size(); }
};

// Partial: every node has at most one edge. Perfect: besides, every node of the smaller side has
// one (of both sides, where they are equally large).
enum class Cover { kPerfect, kPartial };
constexpr auto names_of(Cover) {
  return Names{"cover", "perfect", "partial"};
}

}  // namespace trellis
