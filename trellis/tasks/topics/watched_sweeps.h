// Sweeps of a learner, one after another, as a stage of a run: looked at now and then, saved, and
// gone on with to the same bits.
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
  Judgement held_out;  // NaN where nothing is held out
  double seconds = 0;
  double coherence = std::numeric_limits<double>::quiet_NaN();  // NPMI, the mean over topics
};

// What is looked at.
struct Watch {
  JudgedDocuments held_out;  // may be none
  Documents training;        // whose words are to go together
  Index every = 50;          // sweeps between two looks; 0: at the end alone
  Index particles = 20;      // of the held-out likelihood
  Index coherent_words = 10;
};

class WatchedSweeps {
 public:
  // The events must outlive this, as must what documents point at.
  WatchedSweeps(const Watch& watch, const TrainEvents& events) : watch_(watch), events_(events) {}

  // Up to `total` sweeps, or until the learner has converged. False: interrupted.
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
