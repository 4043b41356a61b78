// The inner loops of dense assignment: one row of weights with all prices. Minima and maxima are
// exact and select the smallest index, so no result depends on the width of the vectors.
#pragma once

#include "trellis/base/types.h"

namespace trellis {

// The largest s_j − p_j, its index (the first such j), and the largest of the others (−∞ if there
// are no others). Requires n ≥ 1.
struct BestTwo {
  double best;
  double second;
  Index argbest;
};
BestTwo best_two(const double* s, const double* p, Index n);

// The data of a shortest-path search for every column.
struct ColumnLabels {
  double* distance;       // d_j; +∞: not reached, or finished
  double* origin;         // the number of the tree node that d_j comes from
  const double* price;    // p_j; +∞ for finished columns
  const double* blocked;  // 0 where the column is free, +∞ where it is taken
};

struct NearestColumns {
  double distance;  // min_j d_j and the first such column
  Index column;
  double free_distance;  // the same among free columns; +∞ where there is none
  Index free_column;
};

// For each column: if t_j = h − (s_j − p_j) < d_j, sets d_j ← t_j and its origin.
NearestColumns relax(const double* s, double h, double node, const ColumnLabels& labels, Index n);

}  // namespace trellis
