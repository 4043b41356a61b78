// Options about the loss that are texts on the command line, and what they mean.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace trellis::cli {

// A positive number, or "inf". Throws UsageError.
double parse_beta(const std::string& text);

// LABEL=WEIGHT, each; the label may have '=' in it. Throws UsageError.
std::map<std::string, double> parse_label_weights(const std::vector<std::string>& texts);

}  // namespace trellis::cli
