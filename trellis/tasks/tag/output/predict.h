// Tagging a file: each line comes back with its label as a further column (in CoNLL-U, in its own
// column), or each sequence as a JSON object. Streams: memory does not grow with the input, and
// what stands before a bad line is written before that is told.
#pragma once

#include <optional>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {

enum class Marginals { kLabel, kAll };
constexpr auto names_of(Marginals) {
  return Names{"choice of marginals", "label", "all"};
}

struct PredictOptions {
  std::optional<Comments> comments;    // not given: as in training
  std::optional<Marginals> marginals;  // probabilities of the label, or of all labels
  Index nbest = 1;
  std::optional<Index> constraints;  // column with what is known
  bool scores = false;
  bool json = false;
  int threads = 0;
};

// The caller commits `out`. Throws InputError for what is wrong with the file, UsageError for what
// the model cannot tell.
void predict(const TagModel& model, InputFile file, const PredictOptions& options, OutputFile& out);

}  // namespace trellis::tag
