// Hidden columns of a file, told from the others, against what the file has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/bayes/bayes_model.h"
#include "trellis/tasks/bayes/filling.h"
#include "trellis/tasks/bayes/row_data.h"

namespace trellis::bayes {

struct EvaluateOptions {
  Delimiter delimiter = Delimiter::kAuto;
  std::optional<std::vector<std::string>> hide;  // nothing: the model's targets
  UnknownValues unknown = UnknownValues::kError;
  Decode decode = Decode::kMap;
  std::optional<std::string> loss;  // another than the model's
  int threads = 1;
};

// Of one hidden variable, over the rows that have its value.
struct VariableEvaluation {
  std::string name;
  std::vector<std::string> values;
  Index cells = 0, wrong = 0;
  double error = 0;  // % of the cells
  double loss = 0;   // the mean of a cell
  // By true value (and, in the last row, those that the model does not have) and predicted one.
  std::vector<Index> confusion;
  std::vector<std::string> unseen_values;
};

struct Evaluation {
  std::string loss_name;
  double loss = 0;            // the mean of a row, over all hidden variables
  double loss_deviation = 0;  // over rows; 0 where there is one
  double error = 0;           // % of the cells
  double hamming = 0;         // wrong cells, the mean of a row
  Index rows = 0, cells = 0, wrong = 0, wrong_rows = 0;
  bool probable = true;             // a model says how probable rows are
  double log_likelihood = 0;        // Σ log P(what is not hidden)
  double joint_log_likelihood = 0;  // Σ log P(row); −∞ where a row is impossible
  Index unknown_values = 0;         // that were taken for missing ones
  std::vector<VariableEvaluation> variables;

  Value record() const;
  std::string to_text() const;
  std::vector<std::string> warnings() const;
};

// Throws UsageError where nothing is hidden, and InputError where the file lacks a hidden column,
// or has values of probability 0.
Evaluation evaluate(const BayesModel& model, InputFile file, const EvaluateOptions& options);

// Values that anybody predicted: a table of the same rows, as predict() writes it, with the columns
// that were hidden, options.hide. Their values are those that occur in either; the loss is
// Hamming's unless the options say otherwise. Throws UsageError where nothing is hidden, and
// InputError with file and line where the rows are not those of the file.
Evaluation judge_file(InputFile file, InputFile predictions, const EvaluateOptions& options);

}  // namespace trellis::bayes
