// Predicts labels for a file: reads, labels, and writes a line for each instance, in constant
// memory. Features are found by name (LIBSVM: by index).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

struct PredictOptions {
  bool scores = false;   // add score minus threshold of each label
  bool json = false;     // one object per instance; else labels separated by tabs
  bool at_once = false;  // write each line before reading the next instance; one thread
  int threads = 0;       // 0: all cores
};

// Lines before an unreadable line are written; then InputError. Returns a warning if the file has
// features and all are unknown to the model; otherwise empty.
std::string predict(const LabelModel& model, InputFile file, const PredictOptions& options,
                    const std::function<void(const std::string& line)>& write);

}  // namespace trellis::label
