#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trellis/tasks/bayes/train.h"

namespace trellis::bayes {

std::string TrainResult::to_json() const {
  nlohmann::json json;
  put_summary(summary, seconds, json);
  json["estimator"] = to_string(estimator);
  json["structure"] = structure;
  json["rows"] = rows;
  json["variables"] = variables;
  json["arrows"] = arrows;
  json["parameters"] = parameters;
  json["targets"] = targets;
  json["latent"] = latent;
  json["ignored"] = ignored;
  json["kept_tables"] = kept_tables;
  if (std::isfinite(log_likelihood)) {
    json["log_likelihood"] = log_likelihood;
  } else {
    json["log_likelihood"] = nullptr;
  }
  json["missing_mass"] = {{"distributions", missing.distributions}, {"largest", missing.largest}};
  generative::put_runs(runs, best_run, json);
  if (discriminative) {
    put_discriminative(*discriminative, json);
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
    if (!discriminative->trials.empty()) {
      notes.push_back(discriminative->setting.text() + " was chosen");
    }
  }
  if (runs.size() > 1) {
    notes.push_back(fmt::format("start {} of {} is the best", best_run + 1, runs.size()));
  }
  notes.push_back(fmt::format("{} arrows, {} parameters, log-likelihood {:.6g} of {} rows", arrows,
                              parameters, log_likelihood, rows));
  if (missing.distributions > 0) {
    notes.push_back(
        fmt::format("{} distributions have a mass below 1, by {:.3g} at most: trellis "
                    "bayes inspect tells which",
                    missing.distributions, missing.largest));
  }
  return notes;
}

std::vector<std::string> TrainResult::warnings() const {
  std::vector<std::string> warnings;
  if (discriminative && !discriminative->fitted.converged) {
    warnings.push_back(fmt::format(
        "{} iterations ended training at a relative gap of {:.2g}: --iterations allows more",
        discriminative->fitted.iterations, discriminative->fitted.gap));
  }
  if (!runs.empty() && !runs[best_run].converged) {
    warnings.emplace_back("the best start had not converged when --iterations ended it");
  }
  return warnings;
}

}  // namespace trellis::bayes
