#include "trellis/solve/segment_matrix.h"
#include <algorithm>
#include <limits>
#include <vector>
#include "trellis/solve/vector_kernels.h"
namespace trellis {
namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
}
MessageRange multiply(const SegmentMatrix& m, const double* entries, const double* x,
                      const double* d, double scale, double* y) {
  MessageRange range{0, kInf};
  for (const auto& g : m.groups) {
    for (Index i = 0; i < g.width; ++i) {
      double sum = 0;
      for (Index r = g.rows_begin; r < g.rows_end; ++r)
        sum += x[m.rows[r].row] * entries[m.rows[r].entries + i];
      const double value = sum * d[g.diagonal + i] * scale;
      y[g.first_column + i] = value;
      range.largest = std::max(range.largest, value);
      if (value > 0) range.smallest_positive = std::min(range.smallest_positive, value);
    }
  }
  return range;
}
void max_plus(const SegmentMatrix& m, const double* entries, const double* x, const double* d,
              double* y) {
  for (const auto& g : m.groups) {
    for (Index i = 0; i < g.width; ++i) {
      double best = -kInf;
      for (Index r = g.rows_begin; r < g.rows_end; ++r)
        best = std::max(best, x[m.rows[r].row] + entries[m.rows[r].entries + i]);
      y[g.first_column + i] = best + d[g.diagonal + i];
    }
  }
}
void multiply_rows(const SegmentMatrix& m, const double* entries, const double* y, double* x) {
  for (const auto& g : m.groups)
    for (Index r = g.rows_begin; r < g.rows_end; ++r)
      x[m.rows[r].row] = dot({entries + m.rows[r].entries, g.width}, {y + g.first_column, g.width});
}
void log_sum_rows(const SegmentMatrix& m, const double* entries, const double* y, double* x) {
  std::vector<double> row;
  for (const auto& g : m.groups)
    for (Index r = g.rows_begin; r < g.rows_end; ++r) {
      row.resize(g.width);
      for (Index i = 0; i < g.width; ++i)
        row[i] = entries[m.rows[r].entries + i] + y[g.first_column + i];
      x[m.rows[r].row] = log_sum_exp(row);
    }
}
void add_outer(const SegmentMatrix& m, const double* entries, const double* x, const double* y,
               Index count, Index stride, double* sums) {
  for (const auto& g : m.groups)
    for (Index r = g.rows_begin; r < g.rows_end; ++r)
      for (Index i = 0; i < g.width; ++i) {
        double sum = 0;
        for (Index t = 0; t < count; ++t)
          sum += x[t * stride + m.rows[r].row] * y[t * stride + g.first_column + i];
        sums[m.rows[r].entries + i] += sum * entries[m.rows[r].entries + i];
      }
}
void propagate(const SegmentMatrix& m, const double* entries, const double* y, const double* p,
               double* q, double* sums) {
  std::vector<double> row;
  for (const auto& g : m.groups)
    for (Index r = g.rows_begin; r < g.rows_end; ++r) {
      const double weight = p[m.rows[r].row];
      if (weight == 0) continue;
      row.resize(g.width);
      for (Index i = 0; i < g.width; ++i)
        row[i] = entries[m.rows[r].entries + i] + y[g.first_column + i];
      softmax(row, row);
      for (Index i = 0; i < g.width; ++i) {
        q[g.first_column + i] += weight * row[i];
        if (sums != nullptr) sums[m.rows[r].entries + i] += weight * row[i];
      }
    }
}
void weigh_columns(const SegmentMatrix& m, const double* a, const double* b, const double* d,
                   double scale, double* y, double* total) {
  for (const auto& g : m.groups)
    for (Index i = 0; i < g.width; ++i) {
      const Index v = g.first_column + i;
      total[g.diagonal + i] += a[v] * b[v];
      y[v] = a[v] > 0 ? b[v] * d[g.diagonal + i] * scale : 0;
    }
}
}  // namespace trellis
