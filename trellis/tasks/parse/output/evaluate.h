// How good a model's trees are, on sentences whose trees are known.
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
  std::optional<TreebankFormat> format;  // not given: seen from the file
  int threads = 0;
  Retag retag = Retag::kMissing;  // kAll asks for a model with a tagger
  DecodeOptions decoding;         // what is not given is the model's
  // Told of every sentence in its order, where there is one: the true tree, the model's and, where
  // they are asked for, the probabilities of its arcs, word m's at [m − 1].
  std::function<void(const Sentence& gold, const Sentence& system,
                     const std::vector<double>& probabilities)>
      on_sentence;
  bool marginals = false;
};

struct Evaluation {
  AttachmentScores scores;
  std::optional<TaggingCounts> tags;       // where all words were tagged by the model
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have: they count
                                           // as wrong
  // Of a second-order model: trees that are proved to be its best (map), and sentences whose
  // probabilities converged (risk).
  std::optional<Index> proven, converged;

  Value record() const;
  std::string to_text() const;
};

// Throws InputError for what is wrong with the file; that it has no sentence, or a head is missing,
// is.
Evaluation evaluate(const ParseModel& model, InputFile file, const EvaluateOptions& options = {});
AttachmentScores evaluate(const ParseModel& model, std::span<const Sentence> sentences,
                          int threads);

}  // namespace trellis::parse
