#include "trellis/frame/training/choosing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/fit/dials.h"
#include "trellis/fit/search.h"

namespace trellis {

void require_something_to_choose_by(const TrainingOptions& options, bool has_dev) {
  if (options.folds == 1) throw UsageError("--cv must be at least 2");
  if (options.folds > 0 && has_dev && !options.candidates.empty()) {
    throw UsageError("--dev and --cv cannot be combined: settings are chosen by one of them");
  }
  for (const Candidates& one : options.candidates) {
    for (const Dial& other : dials()) {
      const bool same = dial(one.dial).holds_weights() && other.holds_weights();
      if (!same || other.name == one.dial || !other.said(options.learner)) continue;
      throw UsageError(fmt::format(
          "--{} and --{} both set the strength of the regularisation: give only one of them",
          one.dial, other.name));
    }
  }
  if (options.candidates.empty() || options.path || has_dev || options.folds > 0) return;
  if (options.choose) return;
  throw UsageError(
      fmt::format("several values of --{} require --dev FILE or --cv K to choose among them",
                  options.candidates.front().dial));
}

void refuse_voters(const LearnerChoice& choice, const TrainingOptions& options,
                   const TaskDefaults& defaults, std::string_view model) {
  for (const Path& path : paths_of(choice, resolve(options.candidates, choice, defaults))) {
    for (const LearnerChoice& setting : path) {
      if (setting.values.voters.value_or(0) == 0) continue;
      throw UsageError(
          fmt::format("--voters is not possible: {} has only one weight vector", model));
    }
  }
}

bool says_how_weights_are_held(const TrainingOptions& options) {
  const LearnerOptions& said = options.learner;
  return said.c || said.lambda || said.radius ||
         std::any_of(options.candidates.begin(), options.candidates.end(),
                     [](const Candidates& one) { return dial(one.dial).holds_weights(); });
}

std::string open_dial(const std::vector<Candidates>& searched, bool path) {
  for (const Candidates& one : searched) {
    if (one.open && !path) return one.dial;
  }
  return {};
}

TrainingOptions with_standard_choice(TrainingOptions options, const LearnerChoice& choice,
                                     const TaskDefaults& defaults, bool has_dev, Index num_examples,
                                     bool several_variants) {
  if (!options.choose || options.path) return options;
  const bool few = num_examples <= defaults.few_examples;
  const bool by_itself = has_dev || options.folds > 0;
  const std::string held = defaults.per_lambda ? "lambda" : "c";
  const bool silent = options.candidates.empty() && !says_how_weights_are_held(options);
  if (silent && dial(held).learners.has(choice.learner) && !choice.partial &&
      (by_itself || num_examples >= 2 * kStandardFolds)) {
    options.candidates.push_back({held, {}});
    for (const TaskDefaults::Besides& one : defaults.besides) {
      const Dial& besides = dial(one.dial);
      if (!besides.learners.has(choice.learner) || besides.said(options.learner)) continue;
      options.candidates.push_back({std::string(one.dial), one.values});
      options.besides = true;
    }
    if (!few) options.behind_peak = 1;
  }
  if ((several_variants || !options.candidates.empty()) && !by_itself) {
    options.folds = std::min(kStandardFolds, num_examples);
    if (!few) options.judged_folds = 1;
  }
  return options;
}

}  // namespace trellis
