// Evaluation: labels the instances of a file and compares.
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
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  // What to say where none of the features of a file that has some is the model's (a file of
  // LIBSVM's format for a model of ARFF's, say), or nothing.
  std::string warning;

  Value record() const;
};

// Labels that the model does not have (LIBSVM) count as missed, and rank below all others.
Evaluation evaluate(const LabelModel& model, InputFile file, int threads, double beta);
// Of what anybody predicted.
Evaluation evaluate(const JudgedSets& sets, double beta);
// What the model predicts beside the truth, for figures that are made of all of it.
JudgedSets judged_sets(const LabelModel& model, InputFile file, int threads);

}  // namespace trellis::label
