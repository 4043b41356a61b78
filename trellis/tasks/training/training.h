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
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/fit/run.h"
#include "trellis/fit/search.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/training/stages.h"
#include "trellis/tasks/training/watched_run.h"

namespace trellis {

// What a user can say about the training of any task.
struct TrainingOptions {
  LearnerOptions learner;
  std::vector<Candidates> candidates;  // dials to choose the values of
  Index folds = 0;                     // choose by cross-validation; 0: by the dev set
  bool path = false;  // go along the candidates even where there is nothing to choose by
  std::uint64_t seed = 1;
  int threads = 0;          // 0: all cores
  std::string checkpoint;   // where the state goes on an interruption; empty: nowhere
  double save_every = 300;  // seconds between savings
  bool resume = false;      // go on from `checkpoint`
};

// Who is told what, while it happens. Every function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const std::string& message)> on_progress;  // replaces what it said before
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;

  void phase(const std::string& message) const {
    if (on_phase) on_phase(message);
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
};

// What a task brings. Calls are const and may come from several threads.
class Trainable {
 public:
  virtual ~Trainable() = default;
  // All examples; the dev set, where there is one, is what they are judged by.
  virtual const Trial& whole() const = 0;
  virtual bool has_dev() const = 0;
  // Without fold k of K, judged by it.
  virtual std::unique_ptr<Trial> fold(Index k, Index folds) const = 0;
  // Of a tally: higher is better.
  virtual double figure(std::span<const double> tally) const = 0;
  virtual std::string_view figure_name() const = 0;
};

// One setting, and what came of it.
struct Tried {
  LearnerChoice setting;
  double figure = kUnknown;     // on held-out data
  double objective = kUnknown;  // of a run on all examples, as what follows
  double gap = kUnknown;
  double norm = kUnknown;  // ‖w‖
  Index epochs = 0;
};

struct Learned {
  LearnerChoice choice;  // with the values that were chosen
  Fitted fitted;
  std::vector<double> w;
  Index best_epoch = 0;              // with a dev set: the epoch whose weights were kept
  std::vector<Candidates> searched;  // the dials that were chosen; empty: none
  std::vector<Tried> tried;          // path by path
  // "f1 on the dev set", "accuracy over 5 folds", "the end of the path"
  std::string chosen_by;
  double choice_seconds = 0;
  bool interrupted = false;
  std::shared_ptr<Stages> stages;
};

// Throws UsageError for candidates without anything to choose by, and for those that contradict
// what was said. To be asked before any file is read. `has_dev`: a dev set was named.
void require_something_to_choose_by(const TrainingOptions& options, bool has_dev);

// The same for voters, of a model ("a ranker") that has one vector of weights and cannot keep them.
void refuse_voters(const LearnerChoice& choice, const TrainingOptions& options,
                   const TaskDefaults& defaults, std::string_view model);
// Whether C, λ or a radius is said, or values of one to choose from.
bool says_how_weights_are_held(const TrainingOptions& options);

// `identity` names the task, its own options and a digest of its data; the choice, the candidates
// and the seed are added to it.
Learned learn(const Trainable& trainable, const LearnerChoice& choice, const TaskDefaults& defaults,
              const TrainingOptions& options, const std::string& identity,
              const TrainEvents& events);
// The stages of such a run, for tasks that have more than one learner's run to make.
std::shared_ptr<Stages> make_stages(const LearnerChoice& choice, const TrainingOptions& options,
                                    const std::string& identity, const TrainEvents& events);

// The fits of a cross-validation, side by side, and counted for those who watch.
class FoldFits {
 public:
  // `fits`: how many there will be; 0: not known. The others must outlive it.
  FoldFits(const Stages& stages, const TrainEvents& events, int threads, Index fits)
      : stages_(stages), events_(events), threads_(resolve_threads(threads)), fits_(fits) {}

  // Calls work(job, its share of the threads) for each job below `jobs`, none of them after a stop
  // was requested. False: one was interrupted, which work says by false, or not begun.
  bool run(Index jobs, const std::function<bool(Index job, int threads)>& work) const;
  // One more is done. From any thread.
  void count();

 private:
  const Stages& stages_;
  const TrainEvents& events_;
  int threads_;
  Index fits_;
  std::mutex mutex_;
  Index done_ = 0;
};

}  // namespace trellis
