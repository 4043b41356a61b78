// Evaluation: predicts the labels of a file's instances and compares them with gold.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/data/value.h"
#include "trellis/formats/sets/judged_sets.h"
#include "trellis/tasks/label/metrics/label_scores.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

struct Evaluation {
  LabelScores scores;
  std::vector<std::string> unseen_labels;  // in the file, unknown to the model
  // A warning if the file has features and all are unknown to the model (for example a LIBSVM file
  // for an ARFF model); otherwise empty.
  std::string warning;

  Value record() const;
};

// Labels that the model does not have (LIBSVM) count as missed, and rank below all others.
Evaluation evaluate(const LabelModel& model, InputFile file, int threads, double beta);
// Evaluates predictions of any program.
Evaluation evaluate(const JudgedSets& sets, double beta);
// Predictions and gold labels, for measures that need all of them at once.
JudgedSets judged_sets(const LabelModel& model, InputFile file, int threads);

}  // namespace trellis::label
