// The flags of the estimators of probability tables, as `hmm` and `bayes` have them.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/cli/command.h"
#include "trellis/cli/training_command.h"
#include "trellis/tasks/generative/generative_options.h"
#include "trellis/tasks/generative/table_training.h"

namespace trellis::cli {

// "a,b,c". Throws UsageError where one is empty.
std::vector<std::string> parse_columns(const std::string& text);

// --estimator and all that belongs to one; `mistakes` says whose values --loss is about.
void add_estimator_flags(Command& command, generative::EstimatorOptions& options, std::string& dev,
                         const std::string& mistakes);

// What all training is told, as estimators have it.
void take_flags(const TrainingFlags& flags, generative::TableOptions& options);

// A run of train_files() to what `train` tells of it; page(call, trained) is the report.
template <class Call, class Page>
TrainingOutcome train_tables(Call& call, const TrainEvents& events, const Page& page) {
  require_readable(call.files.train);
  require_readable(call.files.dev);
  take_flags(call.flags, call.options);
  call.flags.steps = {"iteration", call.options.estimator.limit()};
  const auto trained = train_files(call.files, call.options, events);
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  trained.stages->discard();
  TrainingOutcome outcome;
  outcome.summary = trained.result.summary;
  outcome.record = trained.result.record();
  outcome.notes = trained.result.notes();
  outcome.warnings = trained.result.warnings(call.flags.steps.limit);
  if (!call.flags.report.empty()) outcome.page = page(call, trained);
  return outcome;
}

}  // namespace trellis::cli
