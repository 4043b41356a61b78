// Parsing a file: every sentence comes back with its heads and labels, in the format that it was
// read in, or as a JSON object. Streams: memory does not grow with the input, and what stands
// before a bad line is written before that is told.
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
  std::optional<TreebankFormat> format;  // not given: seen from the file
  Retag retag = Retag::kMissing;         // kAll asks for a model with a tagger
  bool marginals = false;                // how likely each arc is: in MISC of CoNLL-U, "Prob=0.98"
  Index nbest = 1;                       // above 1: the best trees, whatever the decoding
  DecodeOptions decoding;                // what is not given is the model's
  bool json = false;
  int threads = 0;
};

struct PredictCounts {
  Index sentences = 0;
  Index words = 0;
  Index unproven = 0;     // sentences with a second-order search that was given up
  Index unconverged = 0;  // sentences whose probabilities, by which they were parsed, had not
};

// The caller commits `out`. Throws InputError for what is wrong with the file, tags that are
// missing where the model has no tagger included, and UsageError for what its format has no place
// for.
PredictCounts predict(const ParseModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

}  // namespace trellis::parse
