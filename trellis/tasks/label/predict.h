// Prediction over a file: read, label, write a line for each instance, in constant memory. Features
// are found by name (LIBSVM: by index).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

struct PredictOptions {
  bool scores = false;   // how far each label is above its threshold
  bool json = false;     // an object for each instance; else labels with tabs between them
  bool at_once = false;  // a line as soon as its instance is read, by one thread
  int threads = 0;       // 0: all cores
};

// What precedes a line that cannot be read is written; then InputError. Returns a warning where
// none of the features of a file that has some is the model's, or nothing.
std::string predict(const LabelModel& model, InputFile file, const PredictOptions& options,
                    const std::function<void(const std::string& line)>& write);

}  // namespace trellis::label
