// Tagging a labelled file and comparing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {

// A sentence that an evaluation looked at.
struct JudgedSentence {
  Index line = 0;
  std::vector<std::string> tokens;
  std::vector<std::string> gold;
  std::vector<std::string> predicted;
};

struct Evaluation {
  TagScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  std::vector<JudgedSentence> sentences;   // the first ones with a mistake, and some without

  std::string to_json() const;
};

struct EvaluateOptions {
  std::optional<Comments> comments;  // not given: as in training
  int threads = 0;
  Index max_sentences = 0;  // to keep
};
// Throws InputError for what is wrong with the file; that it has no sequence is.
Evaluation evaluate(const TagModel& model, InputFile file, const EvaluateOptions& options = {});

}  // namespace trellis::tag
