#include <fmt/format.h>

#include "trellis/tasks/tables/bayes/train.h"

namespace trellis::bayes {

Value TrainResult::record() const {
  Value record;
  put(record);
  record["structure"] = structure;
  record["rows"] = rows;
  record["variables"] = variables;
  record["arrows"] = arrows;
  record["targets"] = targets;
  record["latent"] = latent;
  record["ignored"] = ignored;
  record["kept_tables"] = kept_tables;
  if (discriminative) {
    record["trained_tables"] = touched;
    record["trained_parameters"] = touched_parameters;
  }
  return record;
}

std::vector<std::string> TrainResult::notes() const {
  std::vector<std::string> notes;
  if (!ignored.empty()) {
    notes.push_back(fmt::format("columns that are not variables: {}", fmt::join(ignored, ", ")));
  }
  if (!latent.empty()) {
    notes.push_back(fmt::format("variables without a column: {}", fmt::join(latent, ", ")));
  }
  if (added_values > 0) {
    notes.push_back(
        fmt::format("{} values of the rows are not declared by the network's file", added_values));
  }
  if (discriminative) {
    notes.push_back(
        fmt::format("trained to predict {} from the other variables: the tables of {} ({} of {} "
                    "parameters); the other tables are {}",
                    fmt::join(targets, ", "), fmt::join(touched, ", "), touched_parameters,
                    parameters, kept_tables ? "those of the file" : "frequencies"));
  }
  const std::vector<std::string> others =
      TableTraining::notes(fmt::format("{} arrows, {} parameters, log-likelihood {:.6g} of {} rows",
                                       arrows, parameters, log_likelihood, rows),
                           "bayes");
  notes.insert(notes.end(), others.begin(), others.end());
  return notes;
}

}  // namespace trellis::bayes
