// Predictions, one graph at a time, in constant memory; and scores on graphs with known values.
//
// Text: a line 'NAME VALUE' for each variable and an empty line after each graph. If necessary, a
// line that begins with '#' precedes a graph: with the bound of a search that reached its limit;
// with the bound of the relaxation, and whether its point is whole (a fractional variable has
// shares, 'NAME VALUE:SHARE …'); or with the convergence of marginals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/factors/factors_model.h"
#include "trellis/tasks/factors/factors_scores.h"
#include "trellis/tasks/factors/inference.h"
#include "trellis/tasks/search_counts.h"

namespace trellis::factors {

struct PredictOptions {
  Inference inference = Inference::kExact;  // or relaxed
  std::optional<Inference> marginals;       // beliefs or reweighted: add all probabilities
  Index search_limit = kSearchLimit;        // for exact inference
  bool json = false;
  bool piped = false;  // write each graph before reading the next
  int threads = 0;
};

struct PredictCounts {
  Index graphs = 0;
  Index whole = 0;      // for the relaxation
  Index converged = 0;  // for marginals
  SearchCounts search;  // for exact inference

  std::vector<std::string> notes(const PredictOptions& options) const;  // for people
};

// Throws UsageError for an inference that does not fit the other options.
void require_inference(const PredictOptions& options);

PredictCounts predict(const FactorsModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

struct Evaluation {
  FactorsScores scores;
  std::optional<SearchCounts> search;  // for exact inference by a model

  // The keys of FactorsScores; not_proven and largest_gap if there was a search.
  Value record() const;
  std::string to_text() const;
};
Evaluation evaluate_file(const FactorsModel& model, InputFile file, Inference inference,
                         int threads, Index search_limit = kSearchLimit);

struct ExplainOptions {
  Index graph = 1;       // number in the file, from 1; 0: all
  std::string variable;  // empty: all
  Index top = 8;         // contributions per variable
  bool json = false;
  Index search_limit = kSearchLimit;
};
// Explains the best assignment.
std::string explain_file(const FactorsModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::factors
