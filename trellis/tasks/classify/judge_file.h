// Labels that anybody predicted, against those of a labelled file: what `predict` writes, a line
// for each document with its id before the label where the file has such a column (what stands
// behind the label is not looked at), or a JSON object with "label".
#pragma once

#include <string>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/classify/predict.h"

namespace trellis::classify {

struct JudgeOptions {
  std::string columns;     // of a text file; nothing: the usual ones
  Index max_mistakes = 0;  // documents to keep
};

// Throws InputError with file and line where predictions are not of the documents of the file.
Evaluation judge_file(InputFile file, InputFile predictions, const JudgeOptions& options);

}  // namespace trellis::classify
