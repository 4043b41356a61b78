// Sweeps of a learner, one after another, as a stage of a run: looked at now and then, saved, and
// gone on with to the same bits.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/stopwatch.h"
#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/tasks/topics/topic_learner.h"
#include "trellis/tasks/training/stages.h"
#include "trellis/tasks/training/training.h"

namespace trellis::topics {

struct Look {
  Index sweep = 0;
  double loss = 0;     // TopicLearner::loss()
  Judgement held_out;  // NaN where nothing is held out
  double seconds = 0;
};

class WatchedSweeps {
 public:
  // Looks every so many sweeps, 0: at the end alone. The events must outlive this.
  WatchedSweeps(const JudgedDocuments& held_out, Index watch_every, Index particles,
                const TrainEvents& events)
      : held_out_(held_out), watch_every_(watch_every), particles_(particles), events_(events) {}

  // Up to `total` sweeps, or until the learner has converged. False: interrupted.
  bool run(Stages& stages, const std::string& stage, TopicLearner& learner, Index total,
           std::vector<Look>& looks);

 private:
  void tell(const TopicLearner& learner, Index total, std::vector<Look>& looks);
  void add(const Look& look, std::vector<Look>& looks) const;
  void save(const TopicLearner& learner, const std::vector<Look>& looks, Checkpoint& state) const;
  void restore(const Checkpoint& state, TopicLearner& learner, std::vector<Look>& looks);

  JudgedDocuments held_out_;
  Index watch_every_, particles_;
  const TrainEvents& events_;
  Stopwatch watch_;
  double seconds_before_ = 0;
};

}  // namespace trellis::topics
