#include "trellis/tasks/tables/table_training.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "trellis/base/input_file.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::generative {

std::uint64_t combine_files(std::uint64_t digest, std::span<const CostTable> costs,
                            const EstimatorOptions& options) {
  for (const CostTable& table : costs) {
    for (Index i = 0; i < table.num_labels(); ++i) {
      for (const double cost : table.row(static_cast<Label>(i))) {
        digest = combine(digest, std::bit_cast<std::uint64_t>(cost));
      }
    }
  }
  const std::string towards = options.towards_or_default();
  if (options.discriminative() && towards != "uniform" && towards != "ml") {
    digest = combine(digest, fingerprint(read_file(towards)));
  }
  return digest;
}

std::vector<double> TableTraining::keep(EmClimb found) {
  summary = std::move(found.summary);
  runs = std::move(found.runs);
  best_run = found.best;
  return std::move(found.theta);
}

std::vector<double> TableTraining::keep(DiscriminativeResult found) {
  summary = found.summary;
  std::vector<double> theta = found.fitted.theta;
  discriminative = std::move(found);
  return theta;
}

void TableTraining::put(Value& record) const {
  put_summary(summary, seconds, record);
  record["estimator"] = to_string(estimator);
  record["parameters"] = parameters;
  record["log_likelihood"] = log_likelihood;
  record["missing_mass"] =
      Value::record({{"distributions", missing.distributions}, {"largest", missing.largest}});
  put_runs(runs, best_run, record);
  if (discriminative) put_discriminative(*discriminative, record);
}

void TableTraining::put_provenance(const EstimatorOptions& options, Value& training) const {
  if (std::isfinite(log_likelihood)) training["log_likelihood"] = log_likelihood;
  if (estimator == Estimator::kEm) {
    training["restarts"] = runs.size();
    training["iterations"] = summary.epochs;
    training["converged"] = runs[best_run].converged;
    training["seed"] = options.seed;
  }
  if (discriminative) put_discriminative_provenance(*discriminative, options, training);
}

std::vector<std::string> TableTraining::notes(const std::string& likelihood,
                                              std::string_view task) const {
  std::vector<std::string> notes;
  if (discriminative && !discriminative->trials.empty()) {
    notes.push_back(discriminative->setting.text() + " was chosen");
  }
  if (runs.size() > 1) {
    notes.push_back(fmt::format("start {} of {} is the best", best_run + 1, runs.size()));
  }
  notes.push_back(likelihood);
  if (missing.distributions > 0) {
    notes.push_back(
        fmt::format("{} distributions have a total probability below 1, by at most {:.3g}: see "
                    "'trellis {} inspect'",
                    missing.distributions, missing.largest, task));
  }
  return notes;
}

std::vector<std::string> TableTraining::warnings(std::string_view limit) const {
  std::vector<std::string> warnings;
  if (discriminative && !discriminative->fitted.converged) {
    warnings.push_back(fmt::format(
        "training ended after {} iterations at a relative gap of {:.2g}: a larger {} continues it",
        discriminative->fitted.iterations, discriminative->fitted.gap, limit));
  }
  if (!runs.empty() && !runs[best_run].converged) {
    warnings.push_back(fmt::format("the best start had not converged when {} ended it", limit));
  }
  return warnings;
}

}  // namespace trellis::generative
