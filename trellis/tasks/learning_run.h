// A learner's run as a task makes it: watched on held-out data, and saved when it is interrupted,
// so that the same call can go on to the same bits.
//
//   LearningRun run(options, signature, metric, events);
//   summary = learner(…, w, run.control());
//   if (run.finish(summary, w)) write the model;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stop_token>
#include <string>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/early_stopping.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/training/result.h"

namespace trellis {

struct LearningRunOptions {
  int threads = 1;
  bool certify = false;
  double gap = 0;  // relative gap to stop at; 0: none
  std::uint64_t seed = 0;
  Index patience = 5;      // epochs without a better figure; counts only with a metric
  std::string checkpoint;  // where the state goes; empty: nowhere
  bool resume = false;     // continue from there
  std::function<void(const EpochRecord&)> on_epoch;  // may be empty
  std::stop_token stop;
};

class LearningRun {
 public:
  // `signature` says all that the bits of the result depend on; a checkpoint with another one is
  // refused with an InputError. `metric` may be empty.
  LearningRun(LearningRunOptions options, std::string signature, EarlyStopping::Metric metric);
  LearningRun(const LearningRun&) = delete;
  LearningRun& operator=(const LearningRun&) = delete;

  // For one call of a learner; this object must outlive that.
  LearnControl control();
  // False if the run was interrupted: its state then lies in the checkpoint. Otherwise w becomes
  // the best weights that were observed, where there is a metric.
  bool finish(const LearnSummary& summary, std::span<double> w);
  // The model is written: the checkpoint that the run went on from is not needed any more.
  void discard_checkpoint() const;

  Index best_epoch() const { return early_ == nullptr ? 0 : early_->best_epoch(); }

 private:
  LearningRunOptions options_;
  std::string signature_;
  std::unique_ptr<EarlyStopping> early_;
  Checkpoint checkpoint_;
};

}  // namespace trellis
