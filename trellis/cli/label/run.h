// Running a labeller over a file: what predict, evaluate and training's report share.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/metrics/label_scores.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/label_data.h"

namespace trellis::cli {

struct LabelEvaluation {
  label::LabelScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  std::string warning;                     // see unknown_features
};

// Labels the instances of a file and compares. Labels that the model does not have (LIBSVM) count
// as missed, and rank below all others. "-" is standard input.
LabelEvaluation evaluate_labels(const label::LabelModelParts& model, const std::string& file,
                                int threads, double beta);

// What to say where none of the features of a file that has some is the model's (a file of LIBSVM's
// format for a model of ARFF's, say), or nothing.
std::string unknown_features(const label::LabelModelParts& model, const label::LabelData& data);

// A value of the training's description as text.
std::string training_text(const nlohmann::json& value);

}  // namespace trellis::cli
