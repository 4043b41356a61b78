// The flags of the estimators of probability tables, as `hmm` and `bayes` have them.
#pragma once

#include "trellis/cli/command.h"
#include "trellis/tasks/generative/generative_options.h"

namespace trellis::cli {

// --estimator and all that belongs to one; `mistakes` says whose values --loss is about.
void add_estimator_flags(Command& command, generative::EstimatorOptions& options, std::string& dev,
                         const std::string& mistakes);

}  // namespace trellis::cli
