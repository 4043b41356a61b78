// The command line of `trellis classify train`: its options, and what they mean.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "trellis/cli/command_options.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::cli {

// The command line as the user gave it.
struct ClassifyTrainCall {
  CommonOptions common;
  classify::TrainOptions options;
  std::string format, columns, weighting, normalize, learner, loss, dual = "online";
  std::string beta;
  std::optional<double> gamma;
  std::optional<double> c;
  std::optional<double> gap;
  bool keep_case = false;
  bool no_bias = false;
  bool no_average = false;
  std::string kernel;
  std::vector<std::string> label_weights;
  std::string history;
  std::string report;
};

// The options of `app` write into `call`, which must outlive the parsing.
void add_classify_train_options(CLI::App& app, ClassifyTrainCall& call);

// Turns what was written into call.options. Throws UsageError for what does not fit together.
void resolve(ClassifyTrainCall& call);

}  // namespace trellis::cli
