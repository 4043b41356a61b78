// The measure that a labeller is trained for, and which way it looks at the data (Petterson 2011,
// chapters 3 and 4): a macro measure is a mean over labels, of the set of instances that are given
// each; an example measure a mean over instances, of the set of labels of each.
//
//   macro-f1  macro-fbeta:B  macro-precision  macro-recall  hamming  example-f1  example-fbeta:B
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/names.h"
#include "trellis/solve/measures/set_measure.h"

namespace trellis::label {

struct Measure {
  enum class Direction { kReverse, kForward };  // sets of instances, sets of labels

  Direction direction = Direction::kReverse;
  SetMeasure set;

  bool forward() const { return direction == Direction::kForward; }
};

using trellis::to_string;  // of enumerations, which this would hide
std::string to_string(const Measure& measure);
Measure parse_measure(std::string_view name);  // throws UsageError, which lists what there is

}  // namespace trellis::label
