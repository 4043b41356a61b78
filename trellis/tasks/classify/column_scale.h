// Scales columns by their statistics in the training set.
//
//   x_a  →  (x_a − shift_a) · factor_a
//
// Measurements come in different units: one column in thousands, the next in thousandths. The
// penalty ‖w‖² then suppresses the second column, and coordinate ascent does not converge. A
// *filled* column (non-zero in at least half of the documents, with more than one other value) is
// shifted and scaled. In other columns zeros stay zeros, so that vectors stay sparse, and the
// largest absolute value becomes 1:
//
//   deviation  filled columns: mean 0, standard deviation 1
//   range      filled columns: −1 … 1
//   auto       deviation, if columns need it (needs_scaling); nothing for text, for values that are
//              weighted or of length 1, and for naive Bayes
//
// A shift requires a bias: models without one have no shifts. The scale is part of the model, like
// the idf, and applies after it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_rows.h"

namespace trellis::classify {

enum class Scaling { kAuto, kNone, kRange, kDeviation };
constexpr auto names_of(Scaling) {
  return Names{"scale", "auto", "none", "range", "deviation"};
}

class ColumnScale {
 public:
  ColumnScale() = default;  // leaves values unchanged
  // An entry for each attribute; the bias has factor 1 and shift 0.
  ColumnScale(std::vector<double> factors, std::vector<double> shifts);

  bool empty() const { return factors_.empty(); }
  std::span<const double> factors() const { return factors_; }
  std::span<const double> shifts() const { return shifts_; }
  Index num_shifted() const { return shifted_.size(); }
  // Scales the values of a document, whose attributes are sorted. The result has all shifted
  // attributes, and of the others those that the document had.
  void apply(std::vector<AttributeId>& ids, std::vector<double>& values) const;

 private:
  std::vector<double> factors_;
  std::vector<double> shifts_;
  std::vector<AttributeId> shifted_;  // attributes whose shift is not 0
};

// Statistics of the non-zero values of a column.
struct ColumnFigures {
  Index count = 0;
  double squares = 0;  // squared distances from the mean so far
  double mean = 0;
  double lowest = 0;
  double highest = 0;

  void add(double value);
};

// Statistics of all columns, and the decisions that follow from them.
class ColumnSurvey {
 public:
  explicit ColumnSurvey(Index num_columns) : columns_(num_columns) {}

  void add(std::span<const AttributeId> ids, std::span<const double> values);

  // True if a column is large: a deviation above 4 if it is filled, otherwise a value above 4. If
  // most values are in filled columns, also true if one of these has a deviation below 1/4, or a
  // mean more than two deviations from 0 (a common word of sparse texts may have such values).
  // Binary data, tf-idf and scaled data therefore stay unchanged.
  bool needs_scaling() const;

  // Leaves `bias` unchanged. `scaling` must be range or deviation.
  ColumnScale scale(Scaling scaling, AttributeId bias) const;

 private:
  struct Spread {
    bool filled;
    double mean, deviation, lowest, highest;  // of a filled column, including zeros
  };
  Spread spread(const ColumnFigures& column) const;

  Index documents_ = 0;
  std::vector<ColumnFigures> columns_;
};

}  // namespace trellis::classify
