// The history of a run, and the decisions that are the same for every learner: when the observer
// or the certified gap ends it, how the time is counted over interruptions, and whether a
// checkpoint belongs to this run at all.
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

// Records of epochs as entries of a checkpoint: an array of each field, "prefix/objective" and so
// on, a value for each record. get_epochs throws InputError where an array is missing, has another
// length than "prefix/epoch", or is of no field.
void put_epochs(std::span<const EpochRecord> records, const std::string& prefix,
                Checkpoint& checkpoint);
std::vector<EpochRecord> get_epochs(const std::string& prefix, const Checkpoint& checkpoint);

// A tally as entries of a checkpoint.
void put_tally(const InferenceTally& tally, const std::string& name, Checkpoint& checkpoint);
InferenceTally get_tally(const std::string& name, const Checkpoint& checkpoint);

class Trace {
 public:
  // `identity` names the learner and all that its bits depend on; a checkpoint with another
  // identity is refused. `control` must outlive the trace.
  Trace(const LearnControl& control, std::string identity);

  // Whether the control's checkpoint holds a state to continue from. If so, the history is read
  // back. Throws UsageError if the state is another run's.
  bool resume();

  // Ends an epoch: stamps the time, asks the observer, keeps the record. Returns why the run must
  // end here, if it must.
  std::optional<Termination> record(EpochRecord record, std::span<const double> w);

  // Tells the observer that an epoch has come so far: a record that is not finished.
  void report(Index epoch, Index updates) const;

  const std::vector<EpochRecord>& history() const { return history_; }

  // A run that ends by itself empties the checkpoint. A run that was interrupted finds its history
  // there, beside the state that the learner put.
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
