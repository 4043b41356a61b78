// What `trellis label train` was called with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/tasks/label/train.h"

namespace trellis::cli {

struct LabelTrainCall {
  CommonOptions common;
  label::TrainOptions options;
  // As they were written; resolve() turns them into options.
  std::string measure = "macro-f1";
  std::string method = "bundle";
  std::string scaling = "auto";
  std::string thresholds;
  std::string argmax = "merged";
  std::string learner = "bmrm";
  std::string generator = "exact";
  std::string order = "frequency";
  std::string history;
  std::string report;
};

void add_label_train_options(CLI::App& app, LabelTrainCall& call);

// Throws UsageError.
void resolve(LabelTrainCall& call);

}  // namespace trellis::cli
