// `trellis tag`: train, predict, evaluate, inspect, explain — a file each.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace trellis::cli {

// What every command understands.
struct CommonOptions {
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

void add_common_options(CLI::App& app, CommonOptions& options);

// Refuses a minus before what counts something, which would otherwise wrap around. To be called
// after the last option was added.
void refuse_negative_counts(CLI::App& app);

// Each adds its subcommand to `tag`; parsing it runs it. `status` becomes the exit status.
void add_tag_train(CLI::App& tag, int& status);
void add_tag_predict(CLI::App& tag, int& status);
void add_tag_evaluate(CLI::App& tag, int& status);
void add_tag_inspect(CLI::App& tag, int& status);
void add_tag_explain(CLI::App& tag, int& status);
void add_tag(CLI::App& program, int& status);

}  // namespace trellis::cli
