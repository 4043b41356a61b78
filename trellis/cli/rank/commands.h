// `trellis rank`: train, predict, evaluate, inspect — a file each.
#pragma once

#include <CLI/CLI.hpp>

namespace trellis::cli {

// Each adds its subcommand to `rank`; parsing it runs it. `status` becomes the exit status.
void add_rank_train(CLI::App& rank, int& status);
void add_rank_predict(CLI::App& rank, int& status);
void add_rank_evaluate(CLI::App& rank, int& status);
void add_rank_inspect(CLI::App& rank, int& status);
void add_rank(CLI::App& program, int& status);

}  // namespace trellis::cli
