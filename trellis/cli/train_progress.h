// What training tells while it runs and when it ends, the same for every task.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "trellis/learn/frame/learner.h"

namespace trellis::cli {

// An epoch as a line of progress, and as an object with stable keys (null: not computed).
std::string describe(const EpochRecord& record);
nlohmann::json to_json(const EpochRecord& record);

// How training ended, in words.
std::string_view ending(Termination termination);

// A line of JSON for each epoch, on disk as soon as it is over. No path: nothing is written.
class HistoryFile {
 public:
  HistoryFile(const std::string& path, bool append);  // throws InputError
  void write(const EpochRecord& record);

 private:
  void check() const;

  std::string path_;
  std::ofstream file_;
};

}  // namespace trellis::cli
