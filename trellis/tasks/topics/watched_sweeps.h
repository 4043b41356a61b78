// Sweeps of a learner as a stage of a run: evaluated at intervals, saved, and resumed to the same
// bits.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trellis/base/stopwatch.h"
#include "trellis/base/types.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/tasks/topics/topic_learner.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

struct Look {
  Index sweep = 0;
  double loss = 0;     // TopicLearner::loss()
  Judgement held_out;  // NaN: nothing is held out
  double seconds = 0;
  double coherence = std::numeric_limits<double>::quiet_NaN();  // NPMI, mean over topics
};

// What is evaluated.
struct Watch {
  JudgedDocuments held_out;  // may be empty
  Documents training;        // for the coherence of words
  Index every = 50;          // sweeps between two evaluations; 0: only at the end
  Index particles = 20;      // for the held-out likelihood
  Index coherent_words = 10;
};

class WatchedSweeps {
 public:
  // The events and the data of documents must outlive the object.
  WatchedSweeps(const Watch& watch, const TrainEvents& events) : watch_(watch), events_(events) {}

  // Up to `total` sweeps, or until the learner has converged. Returns false if interrupted.
  bool run(Stages& stages, const std::string& stage, TopicLearner& learner, Index total,
           std::vector<Look>& looks);

 private:
  void tell(const TopicLearner& learner, Index total, std::vector<Look>& looks);
  void add(const Look& look, std::vector<Look>& looks) const;
  void save(const TopicLearner& learner, const std::vector<Look>& looks, Checkpoint& state) const;
  void restore(const Checkpoint& state, TopicLearner& learner, std::vector<Look>& looks);

  Watch watch_;
  const TrainEvents& events_;
  Stopwatch stopwatch_;
  double seconds_before_ = 0;
};

}  // namespace trellis::topics
