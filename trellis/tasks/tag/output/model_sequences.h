// The sequences of a file in the format of a model.
#pragma once

#include <optional>
#include <string>

#include "trellis/base/input_file.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"

namespace trellis::tag {

// `comments`: the lines that are not tokens; not given: as in training.
SequenceReader open_sequences(const TagModel& model, InputFile file,
                              std::optional<Comments> comments);

// Throws InputError unless the sequence has the columns of the model's training; the label column
// may be missing if it would be the last one and `labelled` is false.
void check_columns(const TagModel& model, const TagSequence& sequence, const std::string& file,
                   bool labelled);

// The error for a sequence for which the model's rules allow no labels (in BIOES, a single token if
// training had neither O nor S).
[[noreturn]] void throw_no_labels(const std::string& file, const TagSequence& sequence);

}  // namespace trellis::tag
