// `trellis classify`: train, predict, evaluate, inspect — a file each.
#pragma once

#include <CLI/CLI.hpp>

namespace trellis::cli {

// Each adds its subcommand to `classify`; parsing it runs it. `status` becomes the exit status.
void add_classify_train(CLI::App& classify, int& status);
void add_classify_predict(CLI::App& classify, int& status);
void add_classify_evaluate(CLI::App& classify, int& status);
void add_classify_inspect(CLI::App& classify, int& status);
void add_classify(CLI::App& program, int& status);

}  // namespace trellis::cli
