// The measure that a labeller is trained for, and its direction (Petterson 2011, chapters 3 and 4).
// A macro measure is a mean over labels, of the set of instances with each label; an example
// measure is a mean over instances, of the set of labels of each instance.
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

using trellis::to_string;  // for enumerations; the function below would hide it
std::string to_string(const Measure& measure);
Measure parse_measure(std::string_view name);  // throws UsageError with the list of measures

}  // namespace trellis::label
