// The options that every command of every task understands.
#pragma once

#include <CLI/CLI.hpp>

namespace trellis::cli {

struct CommonOptions {
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

void add_common_options(CLI::App& app, CommonOptions& options);

// Refuses a minus before what counts something, which would otherwise wrap around. To be called
// after the last option was added.
void refuse_negative_counts(CLI::App& app);

}  // namespace trellis::cli
