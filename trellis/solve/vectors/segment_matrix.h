// Products with a sparse matrix whose rows are dense segments: the inner loops of dynamic
// programming over tuples of symbols, where row u holds the scores of the steps from state u to its
// successors.
//
// Rows that cover the same columns form a *group*; the groups cover disjoint ranges of columns, in
// ascending order. Only the pattern lies here; the entries are a table of the caller's, so that one
// pattern serves many tables. Two semirings and the log domain, for u over rows and v over columns:
//
//   multiply         y(v) = scale · d(v) · Σ_u x(u) M(u,v)
//   max_plus         y(v) = d(v) + max_u (x(u) + M(u,v))
//   multiply_rows    x(u) = Σ_v M(u,v) y(v)
//   log_sum_rows     x(u) = log Σ_v exp(M(u,v) + y(v))
//   add_outer        C(u,v) += M(u,v) Σ_t x_t(u) y_t(v)
//   propagate        q(v) += Σ_u p(u) c(v|u), C(u,v) += p(u) c(v|u), c(·|u) ∝ exp(M(u,·) + y)
//
// Every call is one dispatch to the vector instructions of the machine, and its bits do not depend
// on which these are (vector_kernels.h). Arrays must not overlap. Cost: O(entries of the pattern).
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

struct SegmentMatrix {
  struct Row {
    std::uint32_t row;      // u
    std::uint32_t entries;  // where M(u, first column of its group) stands in the table
  };
  struct Group {
    std::uint32_t first_column;
    std::uint32_t width;  // columns, ≥ 1
    std::uint32_t rows_begin, rows_end;
    std::uint32_t diagonal;  // where d(first_column) stands in d
  };

  std::span<const Group> groups;
  std::span<const Row> rows;
};

// Of the values just computed; {0, +∞} where there is no positive one.
struct MessageRange {
  double largest;
  double smallest_positive;
};

// Columns of a group without rows get 0. Requires x, M, d ≥ 0.
MessageRange multiply(const SegmentMatrix& matrix, const double* entries, const double* x,
                      const double* d, double scale, double* y);

// Columns of a group without rows get −∞. Entries may be −∞, and none +∞.
void max_plus(const SegmentMatrix& matrix, const double* entries, const double* x, const double* d,
              double* y);

// Writes x(u) for the rows of the pattern alone.
void multiply_rows(const SegmentMatrix& matrix, const double* entries, const double* y, double* x);
void log_sum_rows(const SegmentMatrix& matrix, const double* entries, const double* y, double* x);

// t = 0 … count−1; x_t = x + t · stride, and so for y.
void add_outer(const SegmentMatrix& matrix, const double* entries, const double* x, const double* y,
               Index count, Index stride, double* sums);

// Rows with p(u) = 0 are skipped; one with p(u) > 0 needs a finite M(u,v) + y(v). `sums` may be
// null.
void propagate(const SegmentMatrix& matrix, const double* entries, const double* y, const double* p,
               double* q, double* sums, double* buffer);

// The last half of a backward step, by columns: adds the value of a column, a(v) b(v), to
// total(diagonal of v), and sets y(v) = scale · d(v) · b(v), or 0 if a(v) = 0 (so that an overflow
// of b at an unreachable column does not spread).
void weigh_columns(const SegmentMatrix& matrix, const double* a, const double* b, const double* d,
                   double scale, double* y, double* total);

}  // namespace trellis
