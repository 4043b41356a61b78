#include "trellis/tasks/parse/model/pair_inference.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::parse {

void InferenceLimits::check(std::optional<PairInference> inference) const {
  if (iterations && (*iterations == 0 || *iterations > kMostIterations)) {
    throw UsageError(
        fmt::format("--inference-iterations must be from 1 to {}", Index{kMostIterations}));
  }
  if (tolerance && !(*tolerance >= 0)) {
    throw UsageError("--inference-tolerance must be at least 0");
  }
  if (!damping) return;
  if (!(*damping >= 0 && *damping < 1)) {
    throw UsageError("--damping must be at least 0 and below 1");
  }
  if (inference != PairInference::kBeliefs) {
    throw UsageError("--damping requires --inference beliefs");
  }
}

std::string InferenceLimits::to_text() const {
  std::string text;
  if (iterations) text += fmt::format(" iterations={}", *iterations);
  if (tolerance) text += fmt::format(" tolerance={}", *tolerance);
  if (damping) text += fmt::format(" damping={}", *damping);
  return text;
}

Ad3Options InferenceLimits::of(Ad3Options options) const {
  options.max_iterations = iterations.value_or(options.max_iterations);
  options.residual = tolerance.value_or(options.residual);
  return options;
}

ReweightedOptions InferenceLimits::of(ReweightedOptions options) const {
  options.max_evaluations = iterations.value_or(options.max_evaluations);
  options.tolerance = tolerance.value_or(options.tolerance);
  return options;
}

BeliefOptions InferenceLimits::of(BeliefOptions options) const {
  options.max_iterations = iterations.value_or(options.max_iterations);
  options.tolerance = tolerance.value_or(options.tolerance);
  options.damping = damping.value_or(options.damping);
  return options;
}

}  // namespace trellis::parse
