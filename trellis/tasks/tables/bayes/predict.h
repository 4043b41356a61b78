// Writes each row as soon as it is read, with missing and hidden cells filled in: the other cells
// unchanged, and an additional column for each hidden variable that the file lacks. With marginals,
// a column P(VARIABLE=VALUE) follows for each value of each hidden variable (of each variable if
// none is hidden). As JSON: one object per row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/filling.h"
#include "trellis/tasks/tables/bayes/row_data.h"

namespace trellis::bayes {

struct PredictOptions {
  Delimiter delimiter = Delimiter::kAuto;
  // Columns to ignore; empty: the model's targets. An empty list fills in only missing values.
  std::optional<std::vector<std::string>> hide;
  UnknownValues unknown = UnknownValues::kError;
  Decode decode = Decode::kMap;
  bool marginals = false;
  bool json = false;
};

struct PredictResult {
  Index rows = 0;
  Index filled = 0;  // number of cells
  Index unknown_values = 0;

  std::vector<std::string> warnings() const;
};

// Throws InputError if the values of a row have probability 0.
PredictResult predict(const BayesModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out);

// The hidden variables: those of `hide`, or the targets.
std::vector<Index> hidden_variables(const BayesModel& model,
                                    const std::optional<std::vector<std::string>>& hide);

}  // namespace trellis::bayes
