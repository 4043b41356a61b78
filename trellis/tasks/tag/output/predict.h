// Tagging a file: each line comes back with its label as a further column (in CoNLL-U, in its own
// column), or each sequence as a JSON object; or, of a labelled file, how good the labels are.
// Streams: memory does not grow with the input, and what stands before a bad line is written before
// that is told.
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
  std::optional<Marginals> marginals;  // probabilities of the label, or of all labels
  Index nbest = 1;
  std::optional<Index> constraints;  // column with what is known
  bool scores = false;
  bool json = false;
  int threads = 0;

  // Whether sequences are told with their scores.
  bool ranked() const { return scores || nbest > 1; }
};

// How many features the tokens of a file have, and how many of these the model does not know.
struct Coverage {
  Index features = 0;
  Index unknown = 0;
};

// The caller commits `out`. Throws InputError for what is wrong with the file, UsageError for what
// the model cannot tell.
Coverage predict(const TagModel& model, InputFile file, const PredictOptions& options,
                 OutputFile& out);

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
  Coverage coverage;

  Value record() const;
};

struct EvaluateOptions {
  std::optional<Comments> comments;  // not given: as in training
  int threads = 0;
  Index max_sentences = 0;  // to keep
  // Told of each sentence, where there is one.
  std::function<void(std::span<const std::string_view> gold,
                     std::span<const std::string_view> predicted)>
      on_sentence = {};
};
// Throws InputError for what is wrong with the file; that it has no sequence is.
Evaluation evaluate(const TagModel& model, InputFile file, const EvaluateOptions& options = {});

}  // namespace trellis::tag
