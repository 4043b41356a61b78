// Evaluates labels predicted by any program against a labelled file. Both files have the same
// columns, sentence by sentence and token by token, except for the predicted label:
//
//   the columns of the labelled file, followed by the label (the output of `predict`; more columns
//   may follow), or with the label replaced (CoNLL-U; `predict` of a file without labels)
//   only the label, which is also the output of `predict` for item files
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/output/predict.h"

namespace trellis::tag {

struct JudgeOptions {
  std::optional<InputFormat>
      format;  // of the labelled file; not given: columns or CoNLL-U, recognised
  Index label_column = kLastColumn;  // of the labelled file; CoNLL-U: 3 by default
  Comments comments = Comments::kAuto;
  std::optional<TagScheme> scheme;  // not given: detected from the gold labels
  Index max_sentences = 0;          // to keep
  // If set, receives each sentence.
  std::function<void(std::span<const std::string_view> gold,
                     std::span<const std::string_view> predicted)>
      on_sentence;
};

// Throws InputError with file and line if the files do not match, and if there is no sentence.
Evaluation judge_file(InputFile gold, InputFile predictions, const JudgeOptions& options);

}  // namespace trellis::tag
