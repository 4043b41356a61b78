// Feature vectors as a labeller sees them:
//
//   x̃ = (x − mean) ⊙ scale, to length 1 where asked, and the constant feature b behind it
//
// Dense data may be centred; sparse data never is: it would no longer be sparse.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/feature_block.h"

namespace trellis::label {

struct FeatureScaling {
  std::vector<double> mean;   // of each feature, or empty: 0
  std::vector<double> scale;  // of each feature, or empty: 1
  bool unit_length = false;   // divide by ‖x̃‖₂ at last; a vector of zeros stays one
  double bias = 1;            // b, the value of the constant feature; 0: none
};

// The rows as the model sees them, the bias last: width D + 1, or D where bias is 0. Computed in
// double, rounded to float once. Throws UsageError for a scaling that does not fit the rows, for a
// mean where they are sparse, and where a value is beyond the range of a float; `first` is the
// number of the first row, for that message.
FeatureRows scaled(const FeatureRows& rows, const FeatureScaling& scaling, Index first = 1);

}  // namespace trellis::label
