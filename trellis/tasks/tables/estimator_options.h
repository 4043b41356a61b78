// The options of the estimators of probability tables, which `hmm` and `bayes` share.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/frame/command.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/tables/generative_options.h"
#include "trellis/tasks/tables/table_training.h"

namespace trellis::generative {

// "a,b,c". Throws UsageError where one is empty.
std::vector<std::string> parse_columns(const std::string& text);

// --estimator and its options; `mistakes` names the values that --loss compares.
void add_estimator_options(frame::Command& command, EstimatorOptions& options, std::string& dev,
                           const std::string& mistakes);

// Copies the options of every training.
void take_flags(const frame::TrainingFlags& flags, TableOptions& options);

// Runs train_files(), and makes the outcome of `train`; page(call, trained) is the report.
template <class Call, class Page>
frame::TrainingOutcome train_tables(Call& call, const TrainEvents& events, const Page& page) {
  require_readable(call.files.train);
  require_readable(call.files.dev);
  take_flags(call.flags, call.options);
  call.flags.steps = {"iteration", call.options.estimator.limit()};
  const auto trained = train_files(call.files, call.options, events);
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  trained.stages->discard();
  frame::TrainingOutcome outcome;
  outcome.summary = trained.result.summary;
  outcome.record = trained.result.record();
  outcome.notes = trained.result.notes();
  outcome.warnings = trained.result.warnings(call.flags.steps.limit);
  if (!call.flags.report.empty()) outcome.page = page(call, trained);
  return outcome;
}

}  // namespace trellis::generative
