// Parsing a file: a tree for each sentence, in brackets or as a JSON object. Streams: memory does
// not grow with the input, and what stands before a bad line is written before that is told.
//
// What else is asked for stands in comments before a tree:
//
//   # rank 1 score 12.345678 log_probability -0.123456        the K best; a blank line ends them
//   # NP 0-2 0.998877                                         a bracket, its words, how likely it
//   is
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
  std::optional<SentenceFormat> format;  // not given: seen from the file
  ParserOptions parser;
  bool pretty = false;     // trees over lines
  bool marginals = false;  // how likely each bracket is
  Index nbest = 1;
  bool json = false;
  int threads = 0;
};

struct PredictCounts {
  Index sentences = 0;
  Index words = 0;
  Index partial = 0, flat = 0;  // sentences that the grammar has no tree for
};

// The caller commits `out`. Throws InputError for what is wrong with the file; sentences that are
// too long included.
PredictCounts predict(const GrammarModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

}  // namespace trellis::grammar
