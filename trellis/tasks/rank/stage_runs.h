// Several calls of a learner, one after the other (a path of λ, folds of a cross-validation), which
// are saved and resumed as one run: what is finished is kept, and the call that was interrupted
// goes on from where it was (learn/frame/checkpoint.h).
//
//   StageRuns runs(options, signature);
//   for (…) if (!runs.run(learn, w, summary)) return;   // interrupted: the state is on disk
//   write the model; runs.discard_checkpoint();
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/learning_run.h"

namespace trellis::rank {

class StageRuns {
 public:
  // Minimises from w on, into w.
  using Learn = std::function<LearnSummary(std::span<double> w, const LearnControl& control)>;

  // `signature` says all that the bits of the results depend on; a checkpoint with another one is
  // refused with an InputError. `patience` of the options has no meaning here.
  StageRuns(LearningRunOptions options, std::string signature);
  StageRuns(const StageRuns&) = delete;
  StageRuns& operator=(const StageRuns&) = delete;

  // The next stage; false if it was interrupted. A stage that the checkpoint has finished is not
  // run again: w and the summary (without its history) are what they were.
  bool run(const Learn& learn, std::span<double> w, LearnSummary& summary);
  void discard_checkpoint() const;

 private:
  struct Finished {
    std::vector<double> w;
    LearnSummary summary;
  };
  void load();
  void save();

  LearningRunOptions options_;
  std::string signature_;
  Checkpoint checkpoint_;  // of the learner that was interrupted
  std::vector<Finished> finished_;
  Index next_ = 0;
};

}  // namespace trellis::rank
