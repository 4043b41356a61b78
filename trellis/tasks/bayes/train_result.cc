#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/tasks/bayes/train.h"

namespace trellis::bayes {

std::string TrainResult::to_json() const {
  nlohmann::json json;
  put(json);
  json["structure"] = structure;
  json["rows"] = rows;
  json["variables"] = variables;
  json["arrows"] = arrows;
  json["targets"] = targets;
  json["latent"] = latent;
  json["ignored"] = ignored;
  json["kept_tables"] = kept_tables;
  if (discriminative) {
    json["trained_tables"] = touched;
    json["trained_parameters"] = touched_parameters;
  }
  return json.dump();
}

std::vector<std::string> TrainResult::notes() const {
  std::vector<std::string> notes;
  if (!ignored.empty()) {
    notes.push_back(fmt::format("columns that are no variables: {}", fmt::join(ignored, ", ")));
  }
  if (!latent.empty()) {
    notes.push_back(fmt::format("variables that are in no column: {}", fmt::join(latent, ", ")));
  }
  if (added_values > 0) {
    notes.push_back(
        fmt::format("{} values of the rows are not declared by the network's file", added_values));
  }
  if (discriminative) {
    notes.push_back(fmt::format(
        "trained to tell {} from the others: the tables of {} ({} of {} parameters); the others "
        "are {}",
        fmt::join(targets, ", "), fmt::join(touched, ", "), touched_parameters, parameters,
        kept_tables ? "those of the file" : "frequencies"));
  }
  const std::vector<std::string> others =
      TableTraining::notes(fmt::format("{} arrows, {} parameters, log-likelihood {:.6g} of {} rows",
                                       arrows, parameters, log_likelihood, rows),
                           "bayes");
  notes.insert(notes.end(), others.begin(), others.end());
  return notes;
}

}  // namespace trellis::bayes
