// What training tells while it runs and when it ends, the same for every task.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "trellis/data/value.h"
#include "trellis/learn/frame/learner.h"

namespace trellis::frame {

// What a run counts, and the option that limits their number.
struct Steps {
  std::string_view name = "epoch";
  std::string_view limit = "--epochs";
};

// An epoch as a line of progress, and as an object with stable keys (null: not computed).
std::string describe(const EpochRecord& record, const Steps& steps = {});
Value to_value(const EpochRecord& record);

// "stopped by --epochs after 20 epochs"
std::string ending(const LearnSummary& summary, const Steps& steps = {});
// "relative gap 0.00093 (certified: exact inference)", or nothing where none is known.
std::string describe_gap(const LearnSummary& summary);

// A line of JSON for each epoch, on disk as soon as it is over. No path: nothing is written. A run
// that is resumed goes on with the file: what a killed run wrote after its last checkpoint is done
// again, to the same bits, and so is told once.
class HistoryFile {
 public:
  HistoryFile(const std::string& path, bool resume);  // throws InputError
  void write(const EpochRecord& record);

 private:
  void open(std::ios::openmode mode);
  void check() const;
  void cut_before(const std::string& line);

  std::string path_;
  bool resume_;  // and nothing has been written yet
  std::ofstream file_;
};

}  // namespace trellis::frame
