#include "trellis/solve/vectors/segment_matrix.h"

#include <type_traits>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/segment_matrix.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/semirings-inl.h"
#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

using Group = SegmentMatrix::Group;
using Row = SegmentMatrix::Row;
template <size_t kCount>
using Count = std::integral_constant<size_t, kCount>;

// A segment of n ≥ lanes values is covered by whole vectors; the last one ends with the segment and
// overlaps the one before it. Shared lanes are computed twice, to the same bits.
template <class D>
HWY_INLINE size_t vector_begin(D, size_t index, size_t n) {
  return HWY_MIN(index * kLanesOf<D>, n - kLanesOf<D>);
}

// Calls work(d, vectors, first) for blocks of up to four vectors (as a compile-time constant), with
// the widest vectors that fit into n; `first` is the number of the first vector of the block.
template <size_t kWidth = kOctet, class Work>
HWY_INLINE void cover(size_t n, const Work& work) {
  const hn::CappedTag<double, kWidth> d;
  constexpr size_t kLanes = kLanesOf<hn::CappedTag<double, kWidth>>;
  if constexpr (kLanes > 1) {
    if (n < kLanes) return cover<kLanes / 2>(n, work);
  }
  const size_t vectors = (n + kLanes - 1) / kLanes;
  size_t first = 0;
  for (; first + 4 <= vectors; first += 4) work(d, Count<4>(), first);
  switch (vectors - first) {
    case 3:
      return work(d, Count<3>(), first);
    case 2:
      return work(d, Count<2>(), first);
    case 1:
      return work(d, Count<1>(), first);
    default:
      return;
  }
}

// One block of vectors of one group, for all its rows. Even and odd rows are summed up apart: that
// halves the chain of dependent additions.
template <class Semiring, class D, size_t kVectors, class Finish>
HWY_INLINE void combine_rows(D d, const Row* row, const Row* end, const double* entries,
                             const double* x, const size_t (&begin)[kVectors],
                             const Finish& finish) {
  using V = hn::Vec<D>;
  V even[kVectors], odd[kVectors];
  for (size_t j = 0; j < kVectors; ++j) even[j] = odd[j] = Semiring::zero(d);
  for (; end - row >= 2; row += 2) {
    const V x0 = hn::Set(d, x[row[0].row]), x1 = hn::Set(d, x[row[1].row]);
    const double* m0 = entries + row[0].entries;
    const double* m1 = entries + row[1].entries;
    for (size_t j = 0; j < kVectors; ++j) {
      even[j] = Semiring::add(even[j], Semiring::multiply(x0, hn::LoadU(d, m0 + begin[j])));
      odd[j] = Semiring::add(odd[j], Semiring::multiply(x1, hn::LoadU(d, m1 + begin[j])));
    }
  }
  if (row < end) {
    const V x0 = hn::Set(d, x[row->row]);
    const double* m0 = entries + row->entries;
    for (size_t j = 0; j < kVectors; ++j) {
      even[j] = Semiring::add(even[j], Semiring::multiply(x0, hn::LoadU(d, m0 + begin[j])));
    }
  }
  for (size_t j = 0; j < kVectors; ++j) finish(begin[j], Semiring::add(even[j], odd[j]));
}

// y = finish(d(v), x ⊗ M).
template <class Semiring, class Finish>
HWY_INLINE void combine(const SegmentMatrix& matrix, const double* entries, const double* x,
                        const double* diagonal, double* y, const Finish& finish) {
  for (const Group& group : matrix.groups) {
    const Row* row = matrix.rows.data() + group.rows_begin;
    const Row* end = matrix.rows.data() + group.rows_end;
    const size_t n = group.width;
    cover(n, [&](auto d, auto vectors, size_t first) HWY_ATTR {
      constexpr size_t kVectors = decltype(vectors)::value;
      size_t begin[kVectors];
      for (size_t j = 0; j < kVectors; ++j) begin[j] = vector_begin(d, first + j, n);
      combine_rows<Semiring>(d, row, end, entries, x, begin, [&](size_t i, auto value) HWY_ATTR {
        const auto weight = hn::LoadU(d, diagonal + group.diagonal + i);
        hn::StoreU(finish(d, weight, value), d, y + group.first_column + i);
      });
    });
  }
}

MessageRange RangeOf(const double* y, size_t n) {
  const double largest =
      fixed_max(n, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, y + i); });
  const double smallest = -fixed_max(n, [=](auto d, size_t i) HWY_ATTR {
    const auto value = hn::LoadU(d, y + i);
    return hn::IfThenElse(hn::Gt(value, hn::Zero(d)), hn::Neg(value), hn::Set(d, -kInfinity));
  });
  return {largest > 0 ? largest : 0, smallest};
}

MessageRange Multiply(const SegmentMatrix& matrix, const double* entries, const double* x,
                      const double* diagonal, double scale, double* y) {
  combine<SumProduct>(matrix, entries, x, diagonal, y,
                      [=](auto d, auto weight, auto value)
                          HWY_ATTR { return hn::Mul(hn::Mul(value, weight), hn::Set(d, scale)); });
  if (matrix.groups.empty()) return {0, kInfinity};
  const Group& last = matrix.groups.back();
  const size_t begin = matrix.groups.front().first_column;
  return RangeOf(y + begin, last.first_column + last.width - begin);
}

void MaxPlusStep(const SegmentMatrix& matrix, const double* entries, const double* x,
                 const double* diagonal, double* y) {
  combine<MaxPlus>(matrix, entries, x, diagonal, y,
                   [](auto, auto weight, auto value) HWY_ATTR { return hn::Add(value, weight); });
}

// Dot products of rows of `kOctets` eights with y, whose last eight is zero where the one before it
// overlaps: the shape of fixed_sum.
template <size_t kOctets>
HWY_INLINE void dot_rows(const Row* row, const Row* end, const double* entries, const double* y,
                         size_t n, double* x) {
  const Wide d;
  hn::Vec<Wide> right[kOctets][Octet::kParts];
  size_t begin[kOctets];
  for (size_t i = 0; i < kOctets; ++i) {
    begin[i] = HWY_MIN(i * kOctet, n - kOctet);
    for (size_t k = 0; k < Octet::kParts; ++k) {
      right[i][k] =
          drop_lanes(k, i * kOctet - begin[i], hn::LoadU(d, y + begin[i] + k * Octet::kLanes));
    }
  }
  for (; row < end; ++row) {
    const double* left = entries + row->entries;
    Octet sums = Octet::zero();
    for (size_t i = 0; i < kOctets; ++i) {
      for (size_t k = 0; k < Octet::kParts; ++k) {
        const hn::Vec<Wide> factor = hn::LoadU(d, left + begin[i] + k * Octet::kLanes);
        sums.part[k] = hn::Add(sums.part[k], hn::Mul(factor, right[i][k]));
      }
    }
    x[row->row] = sums.sum();
  }
}

void MultiplyRows(const SegmentMatrix& matrix, const double* entries, const double* y, double* x) {
  for (const Group& group : matrix.groups) {
    const Row* row = matrix.rows.data() + group.rows_begin;
    const Row* end = matrix.rows.data() + group.rows_end;
    const double* right = y + group.first_column;
    const size_t n = group.width;
    switch (n < kOctet ? 0 : (n + kOctet - 1) / kOctet) {
      case 1:
        dot_rows<1>(row, end, entries, right, n, x);
        break;
      case 2:
        dot_rows<2>(row, end, entries, right, n, x);
        break;
      case 3:
        dot_rows<3>(row, end, entries, right, n, x);
        break;
      default:
        for (; row < end; ++row) {
          const double* left = entries + row->entries;
          x[row->row] = fixed_sum(n, [=](auto d, size_t i) HWY_ATTR {
            return hn::Mul(hn::LoadU(d, left + i), hn::LoadU(d, right + i));
          });
        }
    }
  }
}

// Two rows at a time share the loads of y. The shared lanes of the last vector are left to the one
// before it, for here each lane must be added once.
template <class D, size_t kVectors, size_t kRows>
HWY_INLINE void add_outer_rows(D d, const Row* row, const double* entries, const double* x,
                               const double* y, size_t count, size_t stride,
                               const size_t (&begin)[kVectors], size_t repeated, double* sums) {
  using V = hn::Vec<D>;
  V sum[kRows][kVectors];
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t j = 0; j < kVectors; ++j) sum[r][j] = hn::Zero(d);
  }
  for (size_t t = 0; t < count; ++t, x += stride, y += stride) {
    V right[kVectors];
    for (size_t j = 0; j < kVectors; ++j) right[j] = hn::LoadU(d, y + begin[j]);
    for (size_t r = 0; r < kRows; ++r) {
      const V left = hn::Set(d, x[row[r].row]);
      for (size_t j = 0; j < kVectors; ++j) {
        sum[r][j] = hn::Add(sum[r][j], hn::Mul(left, right[j]));
      }
    }
  }
  const auto fresh = hn::Ge(hn::Iota(d, 0.0), hn::Set(d, static_cast<double>(repeated)));
  for (size_t r = 0; r < kRows; ++r) {
    sum[r][kVectors - 1] = hn::IfThenElseZero(fresh, sum[r][kVectors - 1]);
    for (size_t j = 0; j < kVectors; ++j) {
      const size_t i = row[r].entries + begin[j];
      const V product = hn::Mul(sum[r][j], hn::LoadU(d, entries + i));
      hn::StoreU(hn::Add(hn::LoadU(d, sums + i), product), d, sums + i);
    }
  }
}

void AddOuter(const SegmentMatrix& matrix, const double* entries, const double* x, const double* y,
              size_t count, size_t stride, double* sums) {
  for (const Group& group : matrix.groups) {
    const size_t n = group.width;
    const double* right = y + group.first_column;
    cover(n, [&](auto d, auto vectors, size_t first) HWY_ATTR {
      using D = decltype(d);
      constexpr size_t kVectors = decltype(vectors)::value;
      size_t begin[kVectors];
      for (size_t j = 0; j < kVectors; ++j) begin[j] = vector_begin(d, first + j, n);
      const size_t repeated = (first + kVectors - 1) * kLanesOf<D> - begin[kVectors - 1];
      const Row* row = matrix.rows.data() + group.rows_begin;
      const Row* end = matrix.rows.data() + group.rows_end;
      for (; end - row >= 2; row += 2) {
        add_outer_rows<D, kVectors, 2>(d, row, entries, x, right, count, stride, begin, repeated,
                                       sums);
      }
      if (row < end) {
        add_outer_rows<D, kVectors, 1>(d, row, entries, x, right, count, stride, begin, repeated,
                                       sums);
      }
    });
  }
}

void WeighColumns(const SegmentMatrix& matrix, const double* a, const double* b,
                  const double* diagonal, double scale, double* y, double* total) {
  for (const Group& group : matrix.groups) {
    const double* left = a + group.first_column;
    const double* right = b + group.first_column;
    const double* weights = diagonal + group.diagonal;
    double* out = y + group.first_column;
    double* sums = total + group.diagonal;
    sweep(0, group.width, [=](auto d, size_t i) HWY_ATTR {
      const auto x = hn::LoadU(d, left + i), z = hn::LoadU(d, right + i);
      hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::Mul(x, z)), d, sums + i);
      const auto value = hn::Mul(hn::Mul(z, hn::LoadU(d, weights + i)), hn::Set(d, scale));
      hn::StoreU(hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), value), d, out + i);
    });
  }
}

// Logarithms are taken of many sums at a time: one alone would be all latency.
void LogSumRows(const SegmentMatrix& matrix, const double* entries, const double* y, double* x) {
  constexpr size_t kBatch = 64;
  double largest[kBatch], sums[kBatch];
  for (const Group& group : matrix.groups) {
    const double* right = y + group.first_column;
    for (size_t begin = group.rows_begin; begin < group.rows_end; begin += kBatch) {
      const Row* rows = matrix.rows.data() + begin;
      const size_t count = HWY_MIN(kBatch, group.rows_end - begin);
      for (size_t r = 0; r < count; ++r) {
        const double* left = entries + rows[r].entries;
        const double top = fixed_max(group.width, [=](auto d, size_t i) HWY_ATTR {
          return hn::Add(hn::LoadU(d, left + i), hn::LoadU(d, right + i));
        });
        const double shift = top == -kInfinity ? 0.0 : top;
        sums[r] = fixed_sum(group.width, [=](auto d, size_t i) HWY_ATTR {
          const auto term = hn::Add(hn::LoadU(d, left + i), hn::LoadU(d, right + i));
          return exp(d, hn::Sub(term, hn::Set(d, shift)));
        });
        largest[r] = shift;
      }
      sweep(0, count, [&](auto d, size_t i) HWY_ATTR {
        hn::StoreU(hn::Add(hn::LoadU(d, largest + i), log(d, hn::LoadU(d, sums + i))), d, sums + i);
      });
      for (size_t r = 0; r < count; ++r) x[rows[r].row] = sums[r];
    }
  }
}

// M(u, ·) + y, and its largest value.
HWY_INLINE double add_row(const double* left, const double* right, size_t n, double* out) {
  sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(d, left + i), hn::LoadU(d, right + i)), d, out + i);
  });
  return fixed_max(n, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, out + i); });
}

void Propagate(const SegmentMatrix& matrix, const double* entries, const double* y, const double* p,
               double* q, double* sums, double* buffer) {
  for (const Group& group : matrix.groups) {
    for (size_t r = group.rows_begin; r < group.rows_end; ++r) {
      const Row& row = matrix.rows[r];
      if (p[row.row] == 0) continue;
      const size_t n = group.width;
      const double largest = add_row(entries + row.entries, y + group.first_column, n, buffer);
      sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
        const auto shifted = hn::Sub(hn::LoadU(d, buffer + i), hn::Set(d, largest));
        hn::StoreU(exp(d, shifted), d, buffer + i);
      });
      const double total =
          fixed_sum(n, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, buffer + i); });
      const double weight = p[row.row] / total;
      double* columns = q + group.first_column;
      double* edges = sums == nullptr ? nullptr : sums + row.entries;
      sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
        const auto mass = hn::Mul(hn::Set(d, weight), hn::LoadU(d, buffer + i));
        hn::StoreU(hn::Add(hn::LoadU(d, columns + i), mass), d, columns + i);
        if (edges != nullptr) hn::StoreU(hn::Add(hn::LoadU(d, edges + i), mass), d, edges + i);
      });
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trellis {

HWY_EXPORT(Multiply);
HWY_EXPORT(MaxPlusStep);
HWY_EXPORT(MultiplyRows);
HWY_EXPORT(AddOuter);
HWY_EXPORT(WeighColumns);
HWY_EXPORT(LogSumRows);
HWY_EXPORT(Propagate);

MessageRange multiply(const SegmentMatrix& matrix, const double* entries, const double* x,
                      const double* d, double scale, double* y) {
  return HWY_DYNAMIC_DISPATCH(Multiply)(matrix, entries, x, d, scale, y);
}

void max_plus(const SegmentMatrix& matrix, const double* entries, const double* x, const double* d,
              double* y) {
  HWY_DYNAMIC_DISPATCH(MaxPlusStep)(matrix, entries, x, d, y);
}

void multiply_rows(const SegmentMatrix& matrix, const double* entries, const double* y, double* x) {
  HWY_DYNAMIC_DISPATCH(MultiplyRows)(matrix, entries, y, x);
}

void add_outer(const SegmentMatrix& matrix, const double* entries, const double* x, const double* y,
               Index count, Index stride, double* sums) {
  HWY_DYNAMIC_DISPATCH(AddOuter)(matrix, entries, x, y, count, stride, sums);
}

void weigh_columns(const SegmentMatrix& matrix, const double* a, const double* b, const double* d,
                   double scale, double* y, double* total) {
  HWY_DYNAMIC_DISPATCH(WeighColumns)(matrix, a, b, d, scale, y, total);
}

void log_sum_rows(const SegmentMatrix& matrix, const double* entries, const double* y, double* x) {
  HWY_DYNAMIC_DISPATCH(LogSumRows)(matrix, entries, y, x);
}

void propagate(const SegmentMatrix& matrix, const double* entries, const double* y, const double* p,
               double* q, double* sums, double* buffer) {
  HWY_DYNAMIC_DISPATCH(Propagate)(matrix, entries, y, p, q, sums, buffer);
}

}  // namespace trellis
#endif  // HWY_ONCE
