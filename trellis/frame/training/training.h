// The training of every task: candidate settings, on held-out data or in folds; the learner's run,
// evaluated on a dev set; interruption, and resumption to the same bits; the record of training in
// results and models. A task provides only its data: a Trainable.
//
//   const LearnerChoice choice = choose(options.learner, defaults(), able());   // before any file
//   …read…
//   Learned learned = learn(trainable, choice, options, identity, events);
//   if (learned.interrupted) return;      // the state lies in options.checkpoint
//   …write the model…
//   learned.stages->discard();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/run.h"
#include "trellis/fit/search.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/tried.h"
#include "trellis/frame/training/watched_run.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

// The training options that all tasks have.
struct TrainingOptions : CheckpointOptions {
  const CheckpointOptions& checkpointing() const { return *this; }

  LearnerOptions learner;
  std::vector<Candidates> candidates;  // hyperparameters with the values to choose from
  Index folds = 0;                     // choose by cross-validation; 0: by the dev set
  Index judged_folds = 0;              // number of folds to hold out, the first ones; 0: all
  bool path = false;                   // visit all candidates even if there is nothing to choose by
  // Choose C or λ if neither is given, and hold data out if no dev set or folds are given:
  // with_standard_choice(). The program sets this.
  bool choose = false;
  Index behind_peak = 2;  // an automatic walk ends after this many settings worse than the best
  bool besides = false;   // tune the other lists at the best value of the automatic one
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores
};

// Receivers of messages during training. Each function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const std::string& message)> on_warning;
  std::function<void(const std::string& message)> on_progress;  // replaces the previous message
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;

  void phase(const std::string& message) const {
    if (on_phase) on_phase(message);
  }
  void warn(const std::vector<std::string>& messages) const {
    for (const std::string& message : messages) {
      if (on_warning) on_warning(message);
    }
  }
};

// Examples to learn from, and held-out data for evaluation.
class Trial {
 public:
  virtual ~Trial() = default;
  virtual Index dimension() const = 0;
  virtual Fitted fit(const FitCall& call) const = 0;  // trellis::fit(model, call)
  // Counts of the evaluation of w on held-out data; they add up over folds.
  virtual std::vector<double> tally(std::span<const double> w) const = 0;
  // Initial weights; empty: 0.
  virtual std::span<const double> start() const { return {}; }
  // For a fold: whether its weights are for the same features as those of all examples.
  virtual bool means_the_same() const { return true; }
};

// What a task provides. Calls are const and may come from several threads.
class Trainable {
 public:
  virtual ~Trainable() = default;
  // All examples, evaluated on the dev set if there is one.
  virtual const Trial& whole() const = 0;
  virtual Index num_examples() const = 0;
  virtual bool has_dev() const = 0;
  // The examples without fold k of K, evaluated on that fold.
  virtual std::unique_ptr<Trial> fold(Index k, Index folds) const = 0;
  // The metric computed from a tally; higher is better.
  virtual double figure(std::span<const double> tally) const = 0;
  virtual std::string_view figure_name() const = 0;
};

// One of several ways to do a task, chosen as settings are: other features, a kernel, or another
// centre of regularisation.
struct Variant {
  std::string name;
  LearnerChoice choice;
  std::function<std::shared_ptr<const Trainable>()> make;  // kept during its evaluation
  std::vector<double> grid = {};  // for automatic C or λ; empty: the task's
};

struct Learned {
  LearnerChoice choice;  // with the chosen values
  Fitted fitted;
  std::vector<double> w;
  Index best_epoch = 0;               // with a dev set: the epoch of the weights kept
  Index variant = 0;                  // number of the chosen variant
  std::vector<std::string> variants;  // their names; empty: there is only one
  std::vector<Candidates> searched;   // the hyperparameters that were chosen; empty: none
  std::vector<Tried> tried;           // all settings evaluated, path by path
  // Tally of the chosen setting on held-out data, over all folds; empty: no held-out data.
  std::vector<double> tally;
  // "f1 on the dev set", "accuracy over 5 folds", "the end of the path"
  std::string chosen_by;
  double choice_seconds = 0;
  bool interrupted = false;
  // Interrupted, but with the weights and the choice of the best finished setting: from a run on
  // all examples, or on those outside the first fold.
  bool best_so_far = false;
  std::shared_ptr<Stages> stages;

  // The chosen setting as a Tried.
  Tried chosen() const { return {choice, variants.empty() ? "" : variants[variant]}; }
  // Whether there are weights for a model.
  bool usable() const { return !interrupted || best_so_far; }
};

// `identity` names the task, its own options and a digest of its data; learn() adds the choice, the
// candidates and the seed.
Learned learn(const Trainable& trainable, const LearnerChoice& choice, const TaskDefaults& defaults,
              const TrainingOptions& options, const std::string& identity,
              const TrainEvents& events);
// Trains the best of several variants, which have the same searched hyperparameters and evaluation.
Learned learn_best(const std::vector<Variant>& variants, const TaskDefaults& defaults,
                   const TrainingOptions& options, const std::string& identity,
                   const TrainEvents& events);

}  // namespace trellis
