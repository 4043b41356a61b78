// What to choose, and by which data: as the options say, or by default according to the number of
// examples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/frame/training/training.h"

namespace trellis {

inline constexpr Index kStandardFolds = 5;  // unless the options give a number

// Throws UsageError for candidates without anything to choose by, and for candidates that
// contradict other options. Reads no file. `has_dev`: a dev set was named.
void require_something_to_choose_by(const TrainingOptions& options, bool has_dev);

// The same for --voters if `model` ("a ranker") has only one weight vector.
void refuse_voters(const LearnerChoice& choice, const TrainingOptions& options,
                   const TaskDefaults& defaults, std::string_view model);

// Whether the options give C, λ or a radius, or values of one to choose from.
bool says_how_weights_are_held(const TrainingOptions& options);

// The hyperparameter with automatic values along the paths; empty for --path, which shows all.
std::string open_dial(const std::vector<Candidates>& searched, bool path);

// If options.choose is set and the options give no regularisation, C or λ is automatic. If there is
// something to choose, and neither a dev set nor folds are given, five folds evaluate few examples
// (defaults.few_examples), and one held-out fifth evaluates many. A choice takes at most about five
// times as long as a run. The rule depends on the number of examples and not on a clock, so that
// the same data lead to the same choice on every machine.
TrainingOptions with_standard_choice(TrainingOptions options, const LearnerChoice& choice,
                                     const TaskDefaults& defaults, bool has_dev, Index num_examples,
                                     bool several_variants = false);

}  // namespace trellis
