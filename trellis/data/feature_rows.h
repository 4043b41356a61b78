// Feature vectors as rows: n vectors of one width, all dense or all sparse. A dense row takes 4
// bytes per feature, a sparse row 8 bytes per non-zero feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class FeatureRows {
 public:
  // values: row by row. Throws UsageError if the size is not a multiple of the width, or if a value
  // is not finite.
  static FeatureRows dense(Index width, std::vector<float> values);
  // Row r has ids[begin[r] … begin[r+1]), ascending and below the width.
  static FeatureRows sparse(Index width, std::vector<std::uint32_t> begin,
                            std::vector<std::uint32_t> ids, std::vector<float> values);
  // One feature with value 1 in each row: a bias, or a table of transitions.
  static FeatureRows constant(Index num_rows);

  Index num_rows() const { return num_rows_; }
  Index width() const { return width_; }
  bool is_dense() const { return begin_.empty(); }
  std::span<const float> dense_values() const { return values_; }  // row after row
  std::span<const float> dense_row(Index r) const {
    return std::span(values_).subspan(r * width_, width_);
  }
  std::span<const std::uint32_t> ids(Index r) const {
    return std::span(ids_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }
  std::span<const float> values(Index r) const {
    return std::span(values_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }
  // Calls visit(k, x_rk) for the stored features of row r.
  template <class Visit>
  void for_each(Index r, const Visit& visit) const {
    if (is_dense()) {
      const auto x = dense_row(r);
      for (Index k = 0; k < x.size(); ++k) visit(k, static_cast<double>(x[k]));
      return;
    }
    const auto stored = ids(r);
    const auto x = values(r);
    for (Index k = 0; k < x.size(); ++k) visit(Index{stored[k]}, static_cast<double>(x[k]));
  }

 private:
  Index num_rows_ = 0;
  Index width_ = 0;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
};

// Builds rows one after the other.
class FeatureRowsBuilder {
 public:
  // Dense rows without features are stored as sparse rows. `num_rows`: the number of dense rows for
  // which memory is reserved.
  FeatureRowsBuilder(Index width, bool dense, Index num_rows = 0);

  void begin_row();
  // Adds to the current row; ids ascend in sparse rows.
  void add(Index feature, float value) {
    if (dense_) {
      values_[row_ + feature] = value;
    } else {
      ids_.push_back(static_cast<std::uint32_t>(feature));
      values_.push_back(value);
    }
  }
  // Throws UsageError as FeatureRows does, and for 2³² or more values in sparse rows.
  FeatureRows finish() &&;

 private:
  Index width_;
  bool dense_;
  Index row_ = 0;  // where the dense row that was begun lies
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
};

}  // namespace trellis
