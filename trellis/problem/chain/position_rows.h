// Scores and gradients of one position from the rows of its attributes: dense rows in batches, by
// vector operations (solve/vectors/row_kernels.h), the others target by target.
#pragma once

#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/solve/vectors/row_kernels.h"

namespace trellis {

// The attributes [first, last) of x.ids hold at the position.
struct AttributeRange {
  Index first;
  Index last;
};
inline AttributeRange attributes_at(const PositionAttributes& x, Index t) {
  return {x.begin[t] - x.begin[0], x.begin[t + 1] - x.begin[0]};
}

// Most rows are not in the cache, and all that will be needed are known: so they are loaded so many
// attributes ahead, and where they begin twice as many.
inline constexpr Index kRowsAhead = 12;

[[gnu::always_inline]] inline void prefetch_rows(const AttributeRows& rows,
                                                 const PositionAttributes& x, Index k,
                                                 const double* weights) {
  if (k + 2 * kRowsAhead < x.ids.size()) rows.prefetch_begin(x.attribute(k + 2 * kRowsAhead));
  if (k + kRowsAhead < x.ids.size()) rows.prefetch(x.attribute(k + kRowsAhead), weights);
}

// scores += Σ value · row, over the position's attributes: those with sparse rows in their order,
// then those with dense ones. So rows of zeros do not change a bit, whether they are there or not.
inline void add_position_scores(const AttributeRows& rows, const PositionAttributes& x,
                                AttributeRange at, const double* w, double* scores) {
  RowBatch batch;
  const auto put = [&](Index k) {
    batch.rows[batch.size] = w + rows.dense_begin(x.attribute(k));
    batch.values[batch.size++] = x.value(k);
  };
  const auto flush = [&] {
    add_rows(batch, scores, rows.num_targets());
    batch.size = 0;
  };
  Index rest = at.last;  // the first dense row that finds no place in the batch
  for (Index k = at.first; k < at.last; ++k) {
    prefetch_rows(rows, x, k, w);
    const AttributeId a = x.attribute(k);
    if (!rows.dense(a)) {
      rows.add_scores(a, x.value(k), w, scores);
    } else if (batch.size < kRowBatch) {
      put(k);
    } else if (rest == at.last) {
      rest = k;
    }
  }
  for (; rest < at.last; ++rest) {
    if (!rows.dense(x.attribute(rest))) continue;
    if (batch.size == kRowBatch) flush();
    put(rest);
  }
  if (batch.size > 0) flush();
}

// row_of(k) += scale · value · z, over the position's attributes k; row_of gives the block of the
// k-th attribute, or nothing for one that is left out.
template <class RowOf>
void add_position_features(const AttributeRows& rows, const PositionAttributes& x,
                           AttributeRange at, const double* z, double scale, const RowOf& row_of) {
  MutableRowBatch batch;
  for (Index k = at.first; k < at.last; ++k) {
    const AttributeId a = x.attribute(k);
    double* row = row_of(k);
    if (row == nullptr) continue;
    if (!rows.dense(a)) {
      rows.add_features(a, scale * x.value(k), z, row);
      continue;
    }
    if (batch.size == kRowBatch) {
      add_to_rows(batch, z, rows.num_targets());
      batch.size = 0;
    }
    batch.rows[batch.size] = row;
    batch.values[batch.size] = scale * x.value(k);
    batch.masks[batch.size++] = rows.mask(a);
  }
  if (batch.size > 0) add_to_rows(batch, z, rows.num_targets());
}

}  // namespace trellis
