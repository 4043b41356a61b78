// Parses a file: one tree per sentence, in brackets or as a JSON object. Memory does not grow with
// the input. Trees of sentences before an invalid line are written before the error is reported.
//
// Comments before a tree have what else was requested:
//
//   # rank 1 score 12.345678 log_probability -0.123456        the K best; a blank line ends them
//   # NP 0-2 0.998877                                         a bracket, its words, its probability
#pragma once

#include <optional>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/sentence_reader.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/model/parser.h"

namespace trellis::grammar {

struct PredictOptions {
  std::optional<SentenceFormat> format;  // not given: recognised
  ParserOptions parser;
  bool pretty = false;     // trees on several lines
  bool marginals = false;  // with the probability of each bracket
  Index nbest = 1;
  bool json = false;
  int threads = 0;
};

struct PredictCounts {
  Index sentences = 0;
  Index words = 0;
  Index partial = 0, flat = 0;  // sentences without a tree in the grammar
};

// The caller commits `out`. Throws InputError for an invalid file, and for sentences that are too
// long.
PredictCounts predict(const GrammarModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

}  // namespace trellis::grammar
