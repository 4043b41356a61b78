// What there is to choose, and by what: as it was said, or, where nothing was, by the size of the
// data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/frame/training/training.h"

namespace trellis {

inline constexpr Index kStandardFolds = 5;  // where nobody says how many

// Throws UsageError for candidates without anything to choose by, and for those that contradict
// what was said. To be asked before any file is read. `has_dev`: a dev set was named.
void require_something_to_choose_by(const TrainingOptions& options, bool has_dev);

// The same for voters, of a model ("a ranker") that has one vector of weights and cannot keep them.
void refuse_voters(const LearnerChoice& choice, const TrainingOptions& options,
                   const TaskDefaults& defaults, std::string_view model);

// Whether C, λ or a radius is said, or values of one to choose from.
bool says_how_weights_are_held(const TrainingOptions& options);

// The dial whose values are automatic along the paths; none for --path, which shows all values.
std::string open_dial(const std::vector<Candidates>& searched, bool path);

// Where nothing is said of how weights are held, C or λ is automatic, if options.choose has it so.
// Where there is something to choose and neither a dev set nor folds are named, it is chosen by
// five folds of few examples (defaults.few_examples), and of many by one fifth that is held out: a
// choice that takes no more than some five times as long as a run. The rule knows of the number of
// examples and of no clock, so that the same data have the same choice on every machine.
TrainingOptions with_standard_choice(TrainingOptions options, const LearnerChoice& choice,
                                     const TaskDefaults& defaults, bool has_dev, Index num_examples,
                                     bool several_variants = false);

}  // namespace trellis
