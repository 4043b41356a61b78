// `train`, as every task has it: the flags of the learners' dials, the run that is watched on the
// terminal, and what is told at its end.
//
//   struct Call { TrainingFlags flags; …the task's own… };
//   add_training_flags(command, call->flags, defaults(), able());
//   command.run([call] { return run_training(call->flags, [&](const TrainEvents& events) {
//     …; return TrainingOutcome{…}; }); });
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/cli/command.h"
#include "trellis/tasks/training/training.h"

namespace trellis::cli {

struct TrainingFlags {
  CommonOptions common;
  TrainingOptions options;  // complete after resolve()
  std::string model;
  std::string dev;
  std::string history;
  std::string report;

  // As they were written.
  std::string learner, loss, beta;
  std::optional<double> gamma;
  std::map<std::string, std::string> dials;             // numbers and words, by name
  std::map<std::string, std::optional<bool>> switches;  // by name
  std::string held_by = "c";  // the dial of a path where none is named: the one of the task's grid
};

// What a task adds to the flags that every one has.
struct TrainingPage {
  std::string dev;     // what --dev says, behind "Held-out file: "; empty: it has no such option
  std::string report;  // what the page of --report shows
};

// --model, --dev, the learner, the loss, a flag for each dial of the learners that can train what
// is `able`, the choice of settings, the run, and the common options.
void add_training_flags(Command& command, TrainingFlags& flags, const TaskDefaults& defaults,
                        const Able& able, const TrainingPage& page);

// Puts what was written into flags.options. Throws UsageError.
void resolve(TrainingFlags& flags);

struct TrainingOutcome {
  bool interrupted = false;
  std::vector<std::string> warnings = {};
  std::string json = {};                   // one object
  LearnSummary summary = {};               // told in a line
  std::vector<std::string> notes = {};     // behind that
  std::function<std::string()> page = {};  // the report
};

// Resolves, runs, tells. Returns the exit status.
int run_training(TrainingFlags& flags,
                 const std::function<TrainingOutcome(const TrainEvents& events)>& train);

// LABEL=WEIGHT, each; the label may have '=' in it. Throws UsageError.
std::map<std::string, double> parse_label_weights(const std::vector<std::string>& texts);

// Writes a page where a path was given.
void write_page(const std::string& path, const std::function<std::string()>& page);

}  // namespace trellis::cli
