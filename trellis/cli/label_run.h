// Running a labeller over a file: what predict, evaluate and training's report share.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/label_model.h"
#include "trellis/tasks/label/label_scores.h"

namespace trellis::cli {

struct LabelEvaluation {
  label::LabelScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
};

// Labels the instances of a file and compares. Labels that the model does not have (LIBSVM) count
// as missed, and rank below all others. "-" is standard input.
LabelEvaluation evaluate_labels(const label::LabelModelParts& model, const std::string& file,
                                int threads, double beta);

// A value of the training's description as text.
std::string training_text(const nlohmann::json& value);

}  // namespace trellis::cli
