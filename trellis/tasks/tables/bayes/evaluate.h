// Evaluates predictions of hidden columns, made from the other columns, against the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/filling.h"
#include "trellis/tasks/tables/bayes/row_data.h"

namespace trellis::bayes {

struct EvaluateOptions {
  Delimiter delimiter = Delimiter::kAuto;
  std::optional<std::vector<std::string>> hide;  // empty: the model's targets
  UnknownValues unknown = UnknownValues::kError;
  Decode decode = Decode::kMap;
  std::optional<std::string> loss;  // instead of the model's
  int threads = 1;
};

// One hidden variable, over the rows that have its value.
struct VariableEvaluation {
  std::string name;
  std::vector<std::string> values;
  Index cells = 0, wrong = 0;
  double error = 0;  // % of cells
  double loss = 0;   // mean over cells
  // By true value (the last row: values that the model does not have) and predicted value.
  std::vector<Index> confusion;
  std::vector<std::string> unseen_values;
};

struct Evaluation {
  std::string loss_name;
  double loss = 0;            // mean over rows; sum over hidden variables
  double loss_deviation = 0;  // over rows; 0 for a single row
  double error = 0;           // % of cells
  double hamming = 0;         // wrong cells, mean over rows
  Index rows = 0, cells = 0, wrong = 0, wrong_rows = 0;
  bool probable = true;             // a model gives the probability of rows
  double log_likelihood = 0;        // Σ log P(values that are not hidden)
  double joint_log_likelihood = 0;  // Σ log P(row); −∞ if a row is impossible
  Index unknown_values = 0;         // treated as missing
  std::vector<VariableEvaluation> variables;

  Value record() const;
  std::string to_text() const;
  std::vector<std::string> warnings() const;
};

// Throws UsageError if nothing is hidden, and InputError if the file lacks a hidden column or has
// values of probability 0.
Evaluation evaluate(const BayesModel& model, InputFile file, const EvaluateOptions& options);

// Evaluates predictions of any program: a table of the same rows, as predict() writes it, with the
// hidden columns options.hide. Values are those that occur in either file; the loss is Hamming's
// unless the options give another. Throws UsageError if nothing is hidden, and InputError with file
// and line if the rows differ from those of the file.
Evaluation judge_file(InputFile file, InputFile predictions, const EvaluateOptions& options);

}  // namespace trellis::bayes
