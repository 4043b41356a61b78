// Predictions, one graph at a time, in constant memory; and how good they are, on graphs whose
// truth is known.
//
// Text: a line 'NAME VALUE' for each variable and an empty line after each graph. A line that
// begins with '#' before a graph says what its predictions are worth, where that is not the whole
// story: of a search that its limit ended the bound; of the relaxation the bound, and whether its
// point is whole (a fractional variable has its shares, 'NAME VALUE:SHARE …'); of marginals whether
// they have converged.
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
  std::optional<Inference> marginals;       // beliefs or reweighted: probabilities of all values
  Index search_limit = kSearchLimit;        // of exact inference
  bool json = false;
  bool piped = false;  // what comes in goes out at once
  int threads = 0;
};

struct PredictCounts {
  Index graphs = 0;
  Index whole = 0;      // of the relaxation
  Index converged = 0;  // of marginals
  SearchCounts search;  // of exact inference

  std::vector<std::string> notes(const PredictOptions& options) const;  // for people
};

// Throws UsageError for an inference that does not do what is asked of it.
void require_inference(const PredictOptions& options);

PredictCounts predict(const FactorsModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

struct Evaluation {
  FactorsScores scores;
  std::optional<SearchCounts> search;  // of exact inference by a model

  // FactorsScores', and not_proven and largest_gap where there was a search.
  Value record() const;
  std::string to_text() const;
};
Evaluation evaluate_file(const FactorsModel& model, InputFile file, Inference inference,
                         int threads, Index search_limit = kSearchLimit);

struct ExplainOptions {
  Index graph = 1;       // which of the file, from 1; 0: all
  std::string variable;  // empty: all
  Index top = 8;         // contributions of each
  bool json = false;
  Index search_limit = kSearchLimit;
};
// Of the best assignment.
std::string explain_file(const FactorsModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::factors
