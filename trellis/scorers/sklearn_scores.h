// The multi-label metrics of scikit-learn 1.9 (Pedregosa et al. 2011; "Metrics and scoring" in its
// user guide), by their names there, one per line:
//
//   hamming_loss 0.2
//   f1_macro zero_division=0 0.625
//   f1_per_label zero_division=0 1.0 0.5 0.0 1.0
//   …
//
// precision, recall, F1 and Jaccard as micro, macro, weighted and samples averages, for each value
// of zero_division (what 0/0 counts; with nan it is left out of means; Jaccard knows no nan); and,
// where there are scores, coverage error, ranking loss, label ranking average precision and average
// precision. Macro means are over all labels, also those that never occur: this differs from our
// own figures, by which F of nothing against nothing is 1 (solve/measures/set_measure.h).
//
// A single label is a problem of two classes to scikit-learn: macro means are then over the label
// and its absence, and what it refuses is a line with ERROR.
#pragma once

#include <string>

#include "trellis/formats/sets/judged_sets.h"

namespace trellis::label {

// Numbers as Python writes them. There must be an instance and a label.
std::string sklearn_scores(const JudgedSets& sets);

}  // namespace trellis::label
