// Evaluates matchings found by any program against the true ones. The format is that of `predict`
// (predict.h): a block for each graph or pair of shapes, in the order of the truth. Scores are
// ignored. Several matchings of a graph (--k-best) are refused.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/formats/prediction_lines.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_scores.h"

namespace trellis::match {

class MatchingReader {
 public:
  explicit MatchingReader(InputFile file) : lines_(std::move(file)) {}

  // Reads the matching of the example. Throws InputError for a block of another graph, nodes that
  // do not exist, and a node matched twice.
  void read(const MatchExample& example, Matching::Output& found);
  void require_end() { lines_.require_end("graphs"); }

 private:
  PredictionLines lines_;
  std::vector<std::string_view> fields_;
};

MatchScores judge_file(std::span<const MatchExample> examples, InputFile predictions);

}  // namespace trellis::match
