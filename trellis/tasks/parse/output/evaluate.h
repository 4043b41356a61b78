// Scores of a model's trees, on sentences with gold trees.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/formats/treebank/treebank_format.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/model/tree_decoder.h"

namespace trellis::parse {

struct EvaluateOptions {
  std::optional<TreebankFormat> format;  // not given: recognised
  int threads = 0;
  Retag retag = Retag::kMissing;  // kAll requires a model with a tagger
  DecodeOptions decoding;         // completed by the model's
  // If set, receives every sentence in order: the gold tree, the model's tree and, if requested,
  // the probabilities of its arcs, word m's at [m − 1].
  std::function<void(const Sentence& gold, const Sentence& system,
                     const std::vector<double>& probabilities)>
      on_sentence;
  bool marginals = false;
};

struct Evaluation {
  AttachmentScores scores;
  std::optional<TaggingCounts> tags;       // if the model tagged all words
  std::vector<std::string> unseen_labels;  // in the file, unknown to the model: they count
                                           // as wrong
  // For a second-order model: trees proved to be the best (map), and sentences with convergent
  // probabilities (risk).
  std::optional<Index> proven, converged;

  Value record() const;
  std::string to_text() const;
};

// Throws InputError for an invalid file, also for one without sentences or with a missing head.
Evaluation evaluate(const ParseModel& model, InputFile file, const EvaluateOptions& options = {});
AttachmentScores evaluate(const ParseModel& model, std::span<const Sentence> sentences,
                          int threads);

}  // namespace trellis::parse
