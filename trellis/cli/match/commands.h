// `trellis match`: train, predict, evaluate, inspect — a file each.
#pragma once

#include <CLI/CLI.hpp>

namespace trellis::cli {

// Each adds its subcommand to `match`; parsing it runs it. `status` becomes the exit status.
void add_match_train(CLI::App& match, int& status);
void add_match_predict(CLI::App& match, int& status);
void add_match_evaluate(CLI::App& match, int& status);
void add_match_inspect(CLI::App& match, int& status);
void add_match(CLI::App& program, int& status);

}  // namespace trellis::cli
