// The history of a run, and the decisions common to all learners: when the observer or the
// certified gap ends the run, how interruptions affect the time, and whether a checkpoint belongs
// to this run.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

// Records of epochs as entries of a checkpoint: an array for each field, "prefix/objective" and so
// on, with one value per record. get_epochs throws InputError if an array is missing, has another
// length than "prefix/epoch", or belongs to no field.
void put_epochs(std::span<const EpochRecord> records, const std::string& prefix,
                Checkpoint& checkpoint);
std::vector<EpochRecord> get_epochs(const std::string& prefix, const Checkpoint& checkpoint);

// A tally as entries of a checkpoint.
void put_tally(const InferenceTally& tally, const std::string& name, Checkpoint& checkpoint);
InferenceTally get_tally(const std::string& name, const Checkpoint& checkpoint);

class Trace {
 public:
  // `identity` names the learner and everything that its bits depend on; a checkpoint with another
  // identity is refused. `control` must outlive the trace.
  Trace(const LearnControl& control, std::string identity);

  // Whether the control's checkpoint holds a state to continue from. If so, reads the history from
  // it. Throws UsageError if the state belongs to another run.
  bool resume();

  // Ends an epoch: sets the time, calls the observer, stores the record. Returns the reason if the
  // run must end here.
  std::optional<Termination> record(EpochRecord record, std::span<const double> w);

  // Reports the progress of an epoch to the observer: a record that is not finished.
  void report(Index epoch, Index updates) const;

  const std::vector<EpochRecord>& history() const { return history_; }

  // A run that ends by itself empties the checkpoint. If it was interrupted, adds the history to
  // the learner's state in the checkpoint.
  LearnSummary finish(Termination termination);

 private:
  double seconds() const;

  const LearnControl& control_;
  std::string identity_;
  std::vector<EpochRecord> history_;
  double seconds_before_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace trellis
