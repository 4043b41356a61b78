// A training run as a sequence of stages (candidate settings, folds, labels, the last fit), which
// are saved and resumed together. Finished stages are kept; an interrupted stage continues where it
// stopped, to the same bits.
//
//   Stages stages(options, identity);
//   if (!stages.run("fold/3", work, result)) return;   // interrupted
//   write the model; stages.discard();
//
// The state is on disk after an interruption, and every `save_every` seconds: a killed run loses no
// more than that.
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

// The options of every training that can be interrupted.
struct CheckpointOptions {
  std::string checkpoint;   // file of the state; empty: none
  bool resume = false;      // continue from that file; from the start if there is none
  double save_every = 300;  // seconds
  // Lines on the options that the bits of the result depend on. Commands take them from their
  // tables (frame/option_table.h); a program that calls the library writes its own.
  std::string options_given;
};

class Stages {
 public:
  // `identity` names the task and a digest of its data; with the options, it lists everything that
  // determines the bits of the results. A checkpoint of another run is refused with an InputError.
  Stages(CheckpointOptions options, std::string identity, std::stop_token stop = {});
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  // Whether there was a state to resume.
  bool resumed() const { return resumed_; }
  bool stop_requested() const { return stop_.stop_requested(); }
  std::stop_token stop() const { return stop_; }

  // Fills `result`, which is empty at first. If asked to stop, puts what it needs to continue into
  // `state` and returns false. `state` is passed in as the last call left it.
  using Work = std::function<bool(Checkpoint& result, Checkpoint& state)>;
  // Gives the result of the named stage: the stored one, or what `work` computes. Returns false if
  // interrupted; the state is then on disk. Stages of different names may run on different threads.
  bool run(const std::string& name, const Work& work, Checkpoint& result);

  // Whether the stage of this name is finished.
  bool known(const std::string& name) const;

  // Whether it is time to save. A stage that can pause then leaves its state and calls pause().
  bool due() const;
  void pause(const std::string& name, const Checkpoint& state);
  // Saves the finished stages of a run that ends between two stages.
  void keep();
  // Drops one entry of a finished stage's result.
  void drop(const std::string& name, std::string_view dropped);
  // Drops this entry from all stages whose names have the prefix.
  void drop_all(std::string_view prefix, std::string_view dropped);
  // Drops the results of all stages whose names have the prefix: another stage has used them.
  void forget(std::string_view prefix);
  // Removes this run's state from disk, after the model is written.
  void discard() const;

 private:
  static void drop_from(Checkpoint& result, std::string_view dropped);
  void load();
  void save();  // requires the lock

  CheckpointOptions options_;
  std::string identity_;
  std::stop_token stop_;
  bool resumed_ = false;
  bool on_disk_ = false;  // this run has written the checkpoint
  mutable std::mutex mutex_;
  std::map<std::string, Checkpoint> results_;
  std::map<std::string, Checkpoint> states_;
  std::chrono::steady_clock::time_point saved_;
};

}  // namespace trellis
