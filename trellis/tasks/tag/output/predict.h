// Tags a file: adds the label to each line as an additional column (in CoNLL-U, in its own column),
// or writes each sequence as a JSON object; evaluates the labels of a labelled file. Memory does
// not grow with the input. Sequences before an invalid line are written before the error is
// reported.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {

enum class Marginals { kLabel, kAll };
constexpr auto names_of(Marginals) {
  return Names{"choice of marginals", "label", "all"};
}

struct PredictOptions {
  std::optional<Comments> comments;    // not given: as in training
  std::optional<Marginals> marginals;  // add probabilities of the label, or of all labels
  Index nbest = 1;
  std::optional<Index> constraints;  // column with allowed labels
  bool scores = false;
  bool json = false;
  int threads = 0;

  // Whether sequences are written with their scores.
  bool ranked() const { return scores || nbest > 1; }
};

// The number of features of a file's tokens, and how many of them the model does not know.
struct Coverage {
  Index features = 0;
  Index unknown = 0;
};

// The caller commits `out`. Throws InputError for an invalid file, UsageError for output that the
// model does not support.
Coverage predict(const TagModel& model, InputFile file, const PredictOptions& options,
                 OutputFile& out);

// A sentence of an evaluation.
struct JudgedSentence {
  Index line = 0;
  std::vector<std::string> tokens;
  std::vector<std::string> gold;
  std::vector<std::string> predicted;
};

struct Evaluation {
  TagScores scores;
  std::vector<std::string> unseen_labels;  // in the file, unknown to the model
  std::vector<JudgedSentence> sentences;   // the first ones with a mistake, and some without
  Coverage coverage;

  Value record() const;
};

struct EvaluateOptions {
  std::optional<Comments> comments;  // not given: as in training
  int threads = 0;
  Index max_sentences = 0;  // to keep
  // If set, receives each sentence.
  std::function<void(std::span<const std::string_view> gold,
                     std::span<const std::string_view> predicted)>
      on_sentence = {};
};
// Throws InputError for an invalid file, also for one without sequences.
Evaluation evaluate(const TagModel& model, InputFile file, const EvaluateOptions& options = {});

}  // namespace trellis::tag
