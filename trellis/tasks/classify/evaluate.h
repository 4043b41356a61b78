// A labelled file, classified and compared.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/classify_scores.h"

namespace trellis::classify {

// A document that an evaluation looked at.
struct JudgedDocument {
  Index line = 0;
  std::string text;  // its beginning
  std::string gold;
  std::string predicted;
};

struct EvaluateOptions {
  std::string columns;     // of a text file; nothing: as in training
  Index max_mistakes = 0;  // documents to keep
  int threads = 0;         // 0: all cores
};

struct Evaluation {
  ClassifyScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  std::vector<JudgedDocument> mistakes;    // the first ones

  // The scores, and unseen_labels.
  std::string to_json(Index confusions) const;
};

// Throws InputError for what is wrong with the file; no example is.
Evaluation evaluate(const ClassifyModel& model, InputFile file, const EvaluateOptions& options);

}  // namespace trellis::classify
