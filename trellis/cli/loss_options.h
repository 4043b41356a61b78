// Options about the loss that are texts on the command line, and what they mean.
#pragma once

#include <string>

#include "trellis/cli/training_command.h"

namespace trellis::cli {

// A positive number, or "inf". Throws UsageError.
double parse_beta(const std::string& text);

}  // namespace trellis::cli
