// Evaluates values predicted by any program against a file of graphs. The format is that of
// `predict`: a line 'NAME VALUE' for each variable, in the order of the graph. A variable with
// shares from the relaxation ('NAME VALUE:SHARE ...') has the value of the largest share. Text
// after a value is ignored, and so are lines that begin with '#'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/formats/prediction_lines.h"
#include "trellis/tasks/factors/domains.h"
#include "trellis/tasks/factors/factors_scores.h"
#include "trellis/tasks/factors/graph_record.h"

namespace trellis::factors {

class ValueReader {
 public:
  explicit ValueReader(InputFile file) : lines_(std::move(file)) {}

  // Reads the values of a graph's variables. Throws InputError for other variables, and for values
  // that their domains lack.
  void read(const GraphRecord& graph, const Domains& domains, std::vector<std::uint32_t>& values);
  void require_end() { lines_.require_end("graphs", true); }

 private:
  std::uint32_t value(const Domain& domain);
  std::uint32_t largest_share(const Domain& domain);

  PredictionLines lines_;
  std::vector<std::string_view> fields_;
};

// Throws InputError with file and line if the predictions do not match the graphs of the file, or
// if no true value is known.
FactorsScores judge_file(InputFile file, InputFile predictions);

}  // namespace trellis::factors
