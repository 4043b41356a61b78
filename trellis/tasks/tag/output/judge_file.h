// Labels that anybody predicted, against those of a labelled file. Sentence by sentence and token
// by token the two have the same columns, but for the predicted label:
//
//   the columns of the labelled file, and the label behind them (what `predict` writes of it; more
//   columns may follow), or in the place of its label (CoNLL-U; `predict` of a file without labels)
//   the label alone, which is also what predictions of item files are
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
      format;  // of the labelled file; not given: columns, or CoNLL-U by its look
  Index label_column = kLastColumn;  // of the labelled file; in CoNLL-U 3 where it is not said
  Comments comments = Comments::kAuto;
  std::optional<TagScheme> scheme;  // not given: detected from the gold labels
  Index max_sentences = 0;          // to keep
  // Told of each sentence, where there is one.
  std::function<void(std::span<const std::string_view> gold,
                     std::span<const std::string_view> predicted)>
      on_sentence;
};

// Throws InputError with file and line where the two do not fit, and where there is no sentence.
Evaluation judge_file(InputFile gold, InputFile predictions, const JudgeOptions& options);

}  // namespace trellis::tag
