// `trellis label`: train, predict, evaluate, inspect — a file each.
#pragma once

#include <CLI/CLI.hpp>

namespace trellis::cli {

// Each adds its subcommand to `label`; parsing it runs it. `status` becomes the exit status.
void add_label_train(CLI::App& label, int& status);
void add_label_predict(CLI::App& label, int& status);
void add_label_evaluate(CLI::App& label, int& status);
void add_label_inspect(CLI::App& label, int& status);
void add_label(CLI::App& program, int& status);

}  // namespace trellis::cli
