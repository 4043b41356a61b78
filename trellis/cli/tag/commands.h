// `trellis tag`: train, predict, evaluate, inspect, explain — a file each.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "trellis/cli/command_options.h"

namespace trellis::cli {

// Each adds its subcommand to `tag`; parsing it runs it. `status` becomes the exit status.
void add_tag_train(CLI::App& tag, int& status);
void add_tag_predict(CLI::App& tag, int& status);
void add_tag_evaluate(CLI::App& tag, int& status);
void add_tag_inspect(CLI::App& tag, int& status);
void add_tag_explain(CLI::App& tag, int& status);
void add_tag(CLI::App& program, int& status);

}  // namespace trellis::cli
