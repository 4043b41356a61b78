// Predictions as they are written: matchings as lines of text, or as one JSON object.
//
//   graph NAME LEFT RIGHT score S     and, with marginals, probability P; with several, rank K
//   left right score                  each match; with marginals its probability
//                                     an empty line
//
// Graphs and pairs of shapes come and go one by one, so that memory does not grow with their
// number; what precedes a bad one is written before the error is thrown.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/match/match_model.h"

namespace trellis::match {

struct PredictInput {
  std::vector<std::string> files;   // graph files, or lists of pairs for a model of shapes
  std::vector<std::string> shapes;  // pairs that no list has: left, right, …
};

struct PredictOptions {
  Index k_best = 1;        // the K best matchings of each graph
  bool marginals = false;  // probabilities: at most 24 nodes on a side
  bool json = false;
  int threads = 0;  // 0: all cores
};

// Throws UsageError where the model cannot do that, InputError for bad files. The caller commits
// the output.
void predict(const MatchModel& model, const PredictInput& input, const PredictOptions& options,
             OutputFile& out);

}  // namespace trellis::match
