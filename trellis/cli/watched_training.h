// Training as every command watches it: notes, a line of progress, a history, and Ctrl-C.
//
//   WatchedTraining watched(console, history_path, options.resume);
//   result = train(options, watched.events<TrainEvents>());
//   if (result.interrupted) return watched.interrupted(options.checkpoint);
#pragma once

#include <string>

#include "trellis/cli/console.h"
#include "trellis/cli/interrupt.h"
#include "trellis/cli/train_progress.h"

namespace trellis::cli {

class WatchedTraining {
 public:
  // The console must outlive it. Throws InputError where the history cannot be written.
  WatchedTraining(Console& console, const std::string& history, bool append)
      : console_(&console), history_(history, append) {}

  // A task's TrainEvents, for as long as this object lives.
  template <class Events>
  Events events() {
    Events events;
    events.stop = interrupt_.token();
    events.on_phase = [this](const std::string& message) { console_->note(message); };
    events.on_epoch = [this](const EpochRecord& record) {
      console_->progress(describe(record));
      history_.write(record);
    };
    return events;
  }

  // Says where the state is, and returns the exit status.
  int interrupted(const std::string& checkpoint) {
    console_->warn("interrupted: the state is in " + checkpoint +
                   "; the same call with --resume goes on from there");
    return 130;
  }

 private:
  Console* console_;
  HistoryFile history_;
  InterruptGuard interrupt_;
};

}  // namespace trellis::cli
