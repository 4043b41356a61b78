// Evaluates labels predicted by any program against a labelled file. The format is that of
// `predict`: for each document a line with its id, if the file has ids, and the label (anything
// after it is ignored), or a JSON object with "label".
#pragma once

#include <string>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/classify/predict.h"

namespace trellis::classify {

struct JudgeOptions {
  std::string columns;     // of a text file; empty: the standard ones
  Index max_mistakes = 0;  // documents to keep
};

// Throws InputError with file and line if the predictions do not match the documents of the file.
Evaluation judge_file(InputFile file, InputFile predictions, const JudgeOptions& options);

}  // namespace trellis::classify
