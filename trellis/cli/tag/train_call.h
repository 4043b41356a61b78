// The command line of `trellis tag train`: its options, and what they mean.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/tasks/tag/templates/builtin_templates.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::cli {

// The command line as the user gave it.
struct TrainCall {
  CommonOptions common;
  tag::TrainOptions options;
  std::string template_name;
  tag::BuiltinOptions builtin;
  std::string comments = "auto";
  std::string format, file_scheme = "detect", scheme = "keep", learner = "lbfgs", loss;
  std::string states = "observed", transitions = "observed", dual = "online", geometry = "entropic";
  std::string beta, kernel;
  std::optional<double> gamma;
  std::optional<Index> label_column;
  bool no_boundaries = false;
  bool no_average = false;
  std::vector<std::string> label_weights;
  std::string history;
  std::string report;
};

// The options of `app` write into `call`, which must outlive the parsing.
void add_train_options(CLI::App& app, TrainCall& call);

// Turns what was written into call.options. Throws UsageError for what does not fit together; reads
// the first sentence where the template is to have all columns of the file.
void resolve(TrainCall& call);

// The template that was named: built in, or a file, beside which the lists lie that it names.
tag::FeatureTemplate load_template(const TrainCall& call);

}  // namespace trellis::cli
