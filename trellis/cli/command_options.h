// The options that every command of every task understands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "trellis/cli/command.h"

namespace trellis::cli {

void add_common_options(CLI::App& app, CommonOptions& options);

// How a training run is saved and told: --checkpoint, --resume, --history, --report (a page with
// what `page` names).
struct RunOptions {
  std::string& checkpoint;
  bool& resume;
  std::string& history;
  std::string& report;
};
void add_run_options(CLI::App& app, const RunOptions& options, const std::string& page);

// Refuses a minus before what counts something, which would otherwise wrap around. To be called
// after the last option was added.
void refuse_negative_counts(CLI::App& app);

}  // namespace trellis::cli
