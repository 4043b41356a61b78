// Writes matchings as lines of text, or as one JSON object.
//
//   graph NAME LEFT RIGHT score S     with marginals also probability P; with several also rank K
//   left right score                  one line per match; with marginals also its probability
//                                     an empty line
//
// Graphs and pairs of shapes are processed one by one, so that memory does not grow with their
// number. Results before an invalid graph are written before the error is thrown.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/match/match_model.h"

namespace trellis::match {

struct PredictInput {
  std::vector<std::string> files;   // graph files, or lists of pairs if the model is of shapes
  std::vector<std::string> shapes;  // pairs outside lists: left, right, …
};

struct PredictOptions {
  Index k_best = 1;        // the K best matchings of each graph
  bool marginals = false;  // probabilities; at most 24 nodes on a side
  bool json = false;
  int threads = 0;  // 0: all cores
};

// Throws UsageError if the model does not support the options, InputError for invalid files. The
// caller commits the output.
void predict(const MatchModel& model, const PredictInput& input, const PredictOptions& options,
             OutputFile& out);

}  // namespace trellis::match
