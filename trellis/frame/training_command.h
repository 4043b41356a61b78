// `train`, as every task has it: the flags of the learners' dials, the run that is watched on the
// terminal, and what is told at its end.
//
//   struct Call { frame::TrainingFlags flags; TrainFiles files; TrainOptions options; };
//   frame::add_training<Call>(task, defaults(), able(), {"Train a ranker.", …},
//                           [](Command& command, Call& call) { …the task's own options… },
//                           [](Call& call, const TrainEvents& events) { …; return outcome; });
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/command.h"
#include "trellis/frame/train_progress.h"
#include "trellis/frame/training/training.h"

namespace trellis::frame {

struct TrainingFlags {
  CommonOptions common;
  TrainingOptions options;  // complete after resolve()
  std::string model;
  std::string dev;
  std::vector<std::string> dev_files;  // of a task that takes several; `dev` is the first
  std::string history;
  std::string report;
  Steps steps;               // what a run counts
  std::string remedy;        // of the task, where a learner does not arrive: see TrainingPage
  Index standard_folds = 0;  // of a task that chooses by folds where nothing is said: it sees to it

  // Learners that the task handles itself: `learner` then stays as it was written.
  std::vector<std::string> own_learners;
  std::map<std::string, std::string> loss_names;  // other names of losses

  // As they were written.
  std::string learner, loss, beta;
  std::optional<double> gamma;
  std::map<std::string, std::string> dials;             // numbers and words, by name
  std::map<std::string, std::optional<bool>> switches;  // by name
  // The dial of a path, or of --cv, where none is named: the one of the task's grid.
  std::string held_by = "c";
  bool sees_to_grid = false;  // the task, where nothing is said
  bool settled = false;       // see TrainingPage
};

// What a task adds to the flags that every one has.
struct TrainingPage {
  std::string description;
  std::string dev;     // what --dev says, behind "Held-out file: "; empty: it has no such option
  std::string report;  // what the page of --report shows; empty: there is no such option
  std::vector<std::pair<std::string, std::string>> more_learners = {};  // with a line on each
  Index folds = 0;  // by which is chosen where neither --cv nor --dev is said; 0: by none
  std::map<std::string, std::string> more_losses = {};  // other names of losses
  std::string remedy = {};  // an option of the task that helps a learner to its optimum
  bool settled = false;  // the task chooses no C or λ where nothing is said: one does for all data
};

// --model, --dev, the learner, the loss, a flag for each dial of the learners that can train what
// is `able`, the choice of settings, the run, and the common options.
void add_training_flags(Command& command, TrainingFlags& flags, const TaskDefaults& defaults,
                        const Able& able, const TrainingPage& page);

// The same for training that is not by learners: --model, the run and the common options.
void add_run_flags(Command& command, TrainingFlags& flags, const TrainingPage& page);

// Puts what was written into flags.options. Throws UsageError.
void resolve(TrainingFlags& flags);

struct TrainingOutcome {
  bool interrupted = false;
  bool best_so_far = false;  // interrupted, with a model all the same
  std::vector<std::string> warnings = {};
  Value record = {};                    // what --json prints
  LearnSummary summary = {};            // told in a line
  std::vector<std::string> notes = {};  // behind that
  std::string page = {};                // the report, where one was asked for
};

// What `train --json` says of any run.
Value record_of(const Learned& learned);
// The warnings about labels of the dev set that training does not have.
std::vector<std::string> unseen_labels(const std::string& dev,
                                       const std::vector<std::string>& labels);

// The warning about a run that its limit of epochs ended before its tolerance was reached; nothing
// where there is nothing to warn of: learners that are to run for so many epochs and no longer.
std::vector<std::string> unfinished(const TrainingFlags& flags, const Learned& learned);

// Resolves the options, runs, and reports.
Findings run_training(TrainingFlags& flags, Session& session,
                      const std::function<TrainingOutcome(const TrainEvents& events)>& train);

// What most tasks are told; a further Call has `flags` as well.
template <class Files, class Options>
struct TrainCall {
  TrainingFlags flags;
  Files files;
  Options options;
};

// The command. Of a Call that has `options.training`, this is what was said.
template <class Call>
Command& add_training(Command& task, const TaskDefaults& defaults, const Able& able,
                      const TrainingPage& page, void (*own)(Command&, Call&),
                      TrainingOutcome (*train)(Call&, const TrainEvents&)) {
  const auto call = std::make_shared<Call>();
  Command& command = task.command("train", page.description);
  own(command, *call);
  add_training_flags(command, call->flags, defaults, able, page);
  command.run([call, train, &command](Session& session) {
    call->flags.options.options_given = command.identity();
    return run_training(call->flags, session, [&](const TrainEvents& events) {
      if constexpr (requires { call->options.training; }) {
        call->options.training = call->flags.options;
      }
      return train(*call, events);
    });
  });
  return command;
}

// The command of training that is not by learners.
template <class Call>
Command& add_run(Command& task, const TrainingPage& page, void (*own)(Command&, Call&),
                 TrainingOutcome (*train)(Call&, const TrainEvents&)) {
  const auto call = std::make_shared<Call>();
  Command& command = task.command("train", page.description);
  own(command, *call);
  add_run_flags(command, call->flags, page);
  command.run([call, train, &command](Session& session) {
    call->flags.options.options_given = command.identity();
    return run_training(call->flags, session,
                        [&](const TrainEvents& events) { return train(*call, events); });
  });
  return command;
}

// Writes the model, after which the state of a run that came to its end is not needed any more, and
// says of it what can be said of any.
template <class Model>
TrainingOutcome outcome_of(const TrainingFlags& flags, const Model& model, const Learned& learned) {
  model.write(flags.model);
  TrainingOutcome outcome;
  outcome.interrupted = learned.interrupted;
  outcome.best_so_far = learned.best_so_far;
  if (learned.stages != nullptr && !learned.interrupted) learned.stages->discard();
  outcome.summary = learned.fitted.summary;
  outcome.record = record_of(learned);
  outcome.warnings = unfinished(flags, learned);
  return outcome;
}
// With what a task says of its own: trained.model, which is none where the run was interrupted
// before it had anything, and trained.result; `page` makes the report.
template <class Trained, class Page>
TrainingOutcome outcome_of(const TrainingFlags& flags, const Trained& trained, const Page& page) {
  const auto& result = trained.result;
  TrainingOutcome outcome{true};
  if (trained.model) {
    outcome = outcome_of(flags, *trained.model, result.learned);
    outcome.record = result.record();
    outcome.notes = result.notes(flags.dev);
  }
  if constexpr (requires { result.unseen_dev_labels; }) {
    const auto unseen = unseen_labels(flags.dev, result.unseen_dev_labels);
    outcome.warnings.insert(outcome.warnings.begin(), unseen.begin(), unseen.end());
  }
  if (trained.model && !flags.report.empty()) outcome.page = page();
  return outcome;
}

}  // namespace trellis::frame
