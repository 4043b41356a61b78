// A training run as a row of stages (settings to try, folds, labels, the last fit), which are saved
// and resumed as one: what is finished is kept, and a stage that was interrupted goes on from where
// it was, to the same bits.
//
//   Stages stages(options, identity);
//   if (!stages.run("fold/3", work, result)) return;   // interrupted
//   write the model; stages.discard();
//
// The state is on disk after an interruption, and every `save_every` seconds: a run that is killed
// loses no more than that.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

struct StagesOptions {
  std::string checkpoint;   // where the state goes; empty: nowhere
  bool resume = false;      // go on from there; where there is nothing, from the start
  double save_every = 300;  // seconds
  std::stop_token stop;
};

class Stages {
 public:
  // `identity` says all that the bits of the results depend on; a checkpoint with another one is
  // refused with an InputError.
  Stages(StagesOptions options, std::string identity);
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  // Whether there was something to go on from.
  bool resumed() const { return resumed_; }
  bool stop_requested() const { return options_.stop.stop_requested(); }
  std::stop_token stop() const { return options_.stop; }

  // Fills `result`, which comes in empty, or, where the run was asked to stop, leaves in `state`
  // what it needs to go on and returns false. `state` comes in as it was left.
  using Work = std::function<bool(Checkpoint& result, Checkpoint& state)>;
  // The result of the stage of this name: what is known, or what `work` finds. False: interrupted;
  // the state is then on disk. Stages of different names may run on different threads.
  bool run(const std::string& name, const Work& work, Checkpoint& result);

  // Whether the stage of this name is finished.
  bool known(const std::string& name) const;

  // Whether it is time to save. A stage that can, leaves its state and calls pause().
  bool due() const;
  void pause(const std::string& name, const Checkpoint& state);
  // A run that ends between two stages leaves what is finished on disk.
  void keep();
  // What a finished stage's result has under this name is not needed any more.
  void drop(const std::string& name, std::string_view dropped);
  // Nor what those have under it whose names begin so.
  void drop_all(std::string_view prefix, std::string_view dropped);
  // Results of stages whose names begin so are not needed any more: another stage's has taken them
  // in.
  void forget(std::string_view prefix);
  // The model is written: what this run has on disk is not needed any more.
  void discard() const;

 private:
  static void drop_from(Checkpoint& result, std::string_view dropped);
  void load();
  void save();  // with the lock held

  StagesOptions options_;
  std::string identity_;
  bool resumed_ = false;
  bool on_disk_ = false;  // the checkpoint is this run's
  mutable std::mutex mutex_;
  std::map<std::string, Checkpoint> results_;
  std::map<std::string, Checkpoint> states_;
  std::chrono::steady_clock::time_point saved_;
};

}  // namespace trellis
