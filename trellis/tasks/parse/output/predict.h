// Parses a file: adds heads and labels to every sentence, in the format of the file or as a JSON
// object. Memory does not grow with the input. Sentences before an invalid line are written before
// the error is reported.
#pragma once

#include <optional>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/treebank/treebank_format.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/model/tree_decoder.h"

namespace trellis::parse {

struct PredictOptions {
  std::optional<TreebankFormat> format;  // not given: recognised
  Retag retag = Retag::kMissing;         // kAll requires a model with a tagger
  bool marginals = false;                // add arc probabilities: in MISC of CoNLL-U, "Prob=0.98"
  Index nbest = 1;                       // above 1: the best trees, for any decoding
  DecodeOptions decoding;                // completed by the model's
  bool json = false;
  int threads = 0;
};

struct PredictCounts {
  Index sentences = 0;
  Index words = 0;
  Index unproven = 0;     // sentences whose second-order search reached its limit
  Index unconverged = 0;  // sentences whose probabilities for decoding did not converge
};

// The caller commits `out`. Throws InputError for an invalid file, also for missing tags if the
// model has no tagger, and UsageError for output that its format cannot contain.
PredictCounts predict(const ParseModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

}  // namespace trellis::parse
