// The training of every task, told once: which settings to try, on held-out data or in folds; the
// learner's run, watched on a dev set; interruption and resumption to the same bits; what a result
// and a model say of how they were made. What a task brings are its data: a Trainable.
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

// What a user can say about the training of any task.
struct TrainingOptions {
  LearnerOptions learner;
  std::vector<Candidates> candidates;  // dials to choose the values of
  Index folds = 0;                     // choose by cross-validation; 0: by the dev set
  Index judged_folds = 0;              // of those the first so many are held out; 0: all
  bool path = false;  // go along the candidates even where there is nothing to choose by
  // Choose C or λ where nothing is said of them, and find held-out data where none is named:
  // with_standard_choice(). The program does.
  bool choose = false;
  Index behind_peak = 2;  // an automatic walk ends after so many settings worse than the best
  bool besides = false;   // dials with lists are chosen behind the automatic one, at its best value
  std::uint64_t seed = 1;
  int threads = 0;          // 0: all cores
  std::string checkpoint;   // where the state goes on an interruption; empty: nowhere
  double save_every = 300;  // seconds between savings
  bool resume = false;      // go on from `checkpoint`
};

// Who is told what, while it happens. Every function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const std::string& message)> on_warning;
  std::function<void(const std::string& message)> on_progress;  // replaces what it said before
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

// Data to learn from and, beside them, data to judge by.
class Trial {
 public:
  virtual ~Trial() = default;
  virtual Index dimension() const = 0;
  virtual Fitted fit(const FitCall& call) const = 0;  // trellis::fit(model, call)
  // What the held-out data say about w, as counts that add up over folds.
  virtual std::vector<double> tally(std::span<const double> w) const = 0;
  // Weights to start from; empty: 0.
  virtual std::span<const double> start() const { return {}; }
  // Of a fold: whether its weights are of the same features as those of all examples.
  virtual bool means_the_same() const { return true; }
};

// What a task brings. Calls are const and may come from several threads.
class Trainable {
 public:
  virtual ~Trainable() = default;
  // All examples; the dev set, where there is one, is what they are judged by.
  virtual const Trial& whole() const = 0;
  virtual Index num_examples() const = 0;
  virtual bool has_dev() const = 0;
  // Without fold k of K, judged by it.
  virtual std::unique_ptr<Trial> fold(Index k, Index folds) const = 0;
  // Of a tally: higher is better.
  virtual double figure(std::span<const double> tally) const = 0;
  virtual std::string_view figure_name() const = 0;
};

// One of several ways to do a task, to be chosen from as settings are: other features, a kernel,
// other weights to be held to.
struct Variant {
  std::string name;
  LearnerChoice choice;
  std::function<std::shared_ptr<const Trainable>()> make;  // kept while it is tried
  std::vector<double> grid = {};  // of C or λ, where those are automatic; empty: the task's
};

struct Learned {
  LearnerChoice choice;  // with the values that were chosen
  Fitted fitted;
  std::vector<double> w;
  Index best_epoch = 0;               // with a dev set: the epoch whose weights were kept
  Index variant = 0;                  // which of several was chosen
  std::vector<std::string> variants;  // their names; empty: there is one
  std::vector<Candidates> searched;   // the dials that were chosen; empty: none
  std::vector<Tried> tried;           // path by path
  // What held-out data say of what was chosen (Trial::tally), over all folds; empty: there are none
  std::vector<double> tally;
  // "f1 on the dev set", "accuracy over 5 folds", "the end of the path"
  std::string chosen_by;
  double choice_seconds = 0;
  bool interrupted = false;
  // Interrupted, but with the weights of the best setting of those that were finished, and its
  // choice: of a run on all examples, or on those outside the first fold.
  bool best_so_far = false;
  std::shared_ptr<Stages> stages;

  // What was chosen, as one of those tried.
  Tried chosen() const { return {choice, variants.empty() ? "" : variants[variant]}; }
  // Whether there are weights to make a model of.
  bool usable() const { return !interrupted || best_so_far; }
};

// `identity` names the task, its own options and a digest of its data; the choice, the candidates
// and the seed are added to it.
Learned learn(const Trainable& trainable, const LearnerChoice& choice, const TaskDefaults& defaults,
              const TrainingOptions& options, const std::string& identity,
              const TrainEvents& events);
// The best of several variants. All have the dials that are chosen, and are judged alike.
Learned learn_best(const std::vector<Variant>& variants, const TaskDefaults& defaults,
                   const TrainingOptions& options, const std::string& identity,
                   const TrainEvents& events);

}  // namespace trellis
