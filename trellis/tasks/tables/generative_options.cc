#include "trellis/tasks/tables/generative_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::generative {
namespace {

void require_positive(const std::optional<double>& value, std::string_view name) {
  if (value && (!(*value > 0) || std::isinf(*value))) {
    throw UsageError(fmt::format("--{} must be a positive number, not {}", name, *value));
  }
}

void require_some(const std::optional<Index>& value, std::string_view name) {
  if (value && *value == 0) throw UsageError(fmt::format("--{} must be at least 1", name));
}

std::vector<double> parse_numbers(const std::string& text, std::string_view name) {
  std::vector<std::string_view> fields;
  split(text, ',', fields);
  std::vector<double> numbers;
  for (const std::string_view field : fields) {
    const auto number = parse_double(trim(field));
    if (!number || !(*number >= 0) || std::isinf(*number)) {
      throw UsageError(
          fmt::format("--{} is '{}': expected positive numbers separated by commas", name, text));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<double> EstimatorOptions::etas(Index num_examples) const {
  if (!eta.empty()) return eta;
  // Squared losses are at least a hundred times as large.
  const double unit = penalty_or_default() == SlackPenalty::kQuadratic ? 0.01 : 1;
  const double one = unit / static_cast<double>(num_examples);
  return {0.1 * one, one, 10 * one};
}

std::vector<double> EstimatorOptions::gammas() const {
  if (!gamma.empty()) return gamma;
  if (estimator == Estimator::kConditional) return {0};
  if (penalty_or_default() == SlackPenalty::kRescaled) return {1};
  return {0.1, 0.3, 1};
}

std::vector<double> parse_etas(const std::string& text) {
  std::vector<double> etas = parse_numbers(text, "eta");
  for (const double eta : etas) {
    if (!(eta > 0)) throw UsageError("--eta must be above 0");
  }
  return etas;
}

std::vector<double> parse_gammas(const std::string& text) {
  return parse_numbers(text, "gamma");
}

// Refuses options of another estimator.
void EstimatorOptions::check_estimator(bool has_dev) const {
  const auto refuse = [&](bool said, std::string_view name, std::string_view whose) {
    if (!said) return;
    throw UsageError(fmt::format("--{} requires the estimator {}: it cannot be combined with {}",
                                 name, whose, to_string(estimator)));
  };
  if (estimator == Estimator::kMl) {
    refuse(iterations.has_value(), "iterations", "em, conditional or max-margin");
  }
  if (estimator != Estimator::kEm) {
    refuse(restarts.has_value(), "restarts", "em");
    refuse(tolerance.has_value(), "tolerance", "em");
  }
  if (!discriminative()) {
    constexpr std::string_view kBoth = "conditional or max-margin";
    refuse(!eta.empty(), "eta", kBoth);
    refuse(folds.has_value(), "cv", kBoth);
    refuse(has_dev, "dev", kBoth);
    refuse(towards.has_value(), "towards", kBoth);
    refuse(divergence.has_value(), "divergence", kBoth);
    refuse(gap.has_value(), "gap", kBoth);
    refuse(!gamma.empty(), "gamma", kBoth);
    refuse(proximal.has_value(), "proximal", kBoth);
    refuse(vertices.has_value(), "vertices", kBoth);
    refuse(directions.has_value(), "directions", kBoth);
    refuse(working_sets.has_value(), "working-sets", kBoth);
    refuse(online.has_value(), "online", kBoth);
    refuse(rounds.has_value(), "rounds", kBoth);
    refuse(set_steps.has_value(), "set-steps", kBoth);
    refuse(start.has_value(), "start", kBoth);
  }
  if (estimator != Estimator::kMaxMargin) refuse(penalty.has_value(), "penalty", "max-margin");
}

void EstimatorOptions::check_numbers() const {
  if (smoothing && (!(*smoothing >= 0) || std::isinf(*smoothing))) {
    throw UsageError(fmt::format("--smoothing must be a number ≥ 0, not {}", *smoothing));
  }
  if (tolerance && !(*tolerance >= 0)) throw UsageError("--tolerance must be a number ≥ 0");
  if (gap && !(*gap >= 0)) throw UsageError("--gap must be a number ≥ 0");
  require_positive(proximal, "proximal");
  require_some(iterations, "iterations");
  require_some(restarts, "restarts");
  require_some(vertices, "vertices");
  require_some(directions, "directions");
  require_some(working_sets, "working-sets");
  require_some(rounds, "rounds");
  require_some(set_steps, "set-steps");
  for (const double one : eta) require_positive(one, "eta");
  for (const double one : gamma) {
    if (!(one >= 0) || std::isinf(one)) {
      throw UsageError(fmt::format("--gamma must be a number ≥ 0, not {}", one));
    }
  }
}

void EstimatorOptions::check(bool has_dev) const {
  check_estimator(has_dev);
  check_numbers();
  if (!gamma.empty() && penalty == SlackPenalty::kRescaled) {
    throw UsageError(
        "--gamma cannot be combined with --penalty rescaled, whose margin is always 1");
  }
  const bool sets = working_sets.value_or(1) > 1;
  if (!sets && (online.value_or(false) || rounds || set_steps)) {
    throw UsageError("--online, --rounds and --set-steps require --working-sets of 2 or more");
  }
  if (rounds && iterations) {
    throw UsageError("--rounds and --iterations cannot be combined");
  }
  if (folds && has_dev)
    throw UsageError("--dev and --cv cannot be combined: settings are chosen by one of them");
  if (folds && *folds < 2) throw UsageError("--cv must be at least 2");
  if (eta.size() == 1 && gammas().size() == 1 && (folds || has_dev)) {
    throw UsageError(
        fmt::format("--{} has nothing to choose from: give --eta several values, or omit --eta",
                    folds ? "cv" : "dev"));
  }
  if (alpha() == 0 && discriminative() &&
      (towards_or_default() == "ml" || start_or_default() == Start::kMl)) {
    throw UsageError(
        "reference tables (--towards) and starting tables (--start) require --smoothing above 0");
  }
}

MarginOptions EstimatorOptions::margin(double one_eta) const {
  MarginOptions options;
  options.eta = one_eta;
  options.divergence = divergence.value_or(options.divergence);
  options.penalty =
      penalty_or_default() == SlackPenalty::kQuadratic ? Penalty::kQuadratic : Penalty::kLinear;
  options.gap = gap.value_or(options.gap);
  options.max_iterations = iterations.value_or(options.max_iterations);
  options.gamma = proximal.value_or(options.gamma);
  options.vertices = vertices.value_or(options.vertices);
  options.directions = directions.value_or(options.directions);
  options.working_sets = working_sets.value_or(1);
  options.set_steps = set_steps.value_or(options.set_steps);
  if (online.value_or(false)) {
    options.order = WorkingSets::kOnline;
  } else if (rounds || set_steps) {
    options.order = WorkingSets::kInTurn;
  }
  if (rounds) options.max_iterations = *rounds * options.working_sets * options.set_steps;
  options.threads = threads;
  options.check();
  return options;
}

}  // namespace trellis::generative
