// Columns brought to one scale, from what they are in the training set.
//
//   x_a  →  (x_a − shift_a) · factor_a
//
// Measured values come in the units of whoever measured: one column in thousands, the next in
// thousandths. A penalty of ‖w‖² then forbids the second to say anything, and learners that ascend
// a coordinate at a time do not arrive. A column that is *filled* (not 0 in at least half of the
// documents, and with more than one other value) is shifted and scaled; of any other the zeros stay
// zeros, so that sparse vectors stay sparse, and its largest value becomes 1:
//
//   deviation  filled columns: mean 0, standard deviation 1
//   range      filled columns: −1 … 1
//   auto       deviation, where columns need it (needs_scaling); nothing for text, for values that
//              are weighted or of length 1, and for naive Bayes
//
// A shift takes a bias: without one there is none. It is part of the model, as the idf is, and
// comes behind it.
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
  ColumnScale() = default;  // values stay as they are
  // An entry for each attribute; the bias has factor 1 and shift 0.
  ColumnScale(std::vector<double> factors, std::vector<double> shifts);

  bool empty() const { return factors_.empty(); }
  std::span<const double> factors() const { return factors_; }
  std::span<const double> shifts() const { return shifts_; }
  Index num_shifted() const { return shifted_.size(); }
  // From the sorted attributes of a document, and their values, to the scaled ones: of those that
  // are shifted all, of the others the ones that were there.
  void apply(std::vector<AttributeId>& ids, std::vector<double>& values) const;

 private:
  std::vector<double> factors_;
  std::vector<double> shifts_;
  std::vector<AttributeId> shifted_;  // those whose shift is not 0
};

// What is to be known of a column: its values that are not 0.
struct ColumnFigures {
  Index count = 0;
  double squares = 0;  // of the distances from the mean so far
  double mean = 0;
  double lowest = 0;
  double highest = 0;

  void add(double value);
};

// The figures of all columns, and what follows from them.
class ColumnSurvey {
 public:
  explicit ColumnSurvey(Index num_columns) : columns_(num_columns) {}

  void add(std::span<const AttributeId> ids, std::span<const double> values);

  // Whether a column is large: a deviation above 4 where it is filled, else a value above 4. Where
  // most values are of filled columns also whether one of those has a deviation below 1/4, or a
  // mean more than two deviations from 0; a common word of sparse texts may. Binary data, tf-idf
  // and what was scaled before is left alone by that.
  bool needs_scaling() const;

  // `bias` is left as it is. `scaling` is range or deviation.
  ColumnScale scale(Scaling scaling, AttributeId bias) const;

 private:
  struct Spread {
    bool filled;
    double mean, deviation, lowest, highest;  // of a filled column: zeros included
  };
  Spread spread(const ColumnFigures& column) const;

  Index documents_ = 0;
  std::vector<ColumnFigures> columns_;
};

}  // namespace trellis::classify
