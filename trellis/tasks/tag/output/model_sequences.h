// The sequences of a file, as a model wants them.
#pragma once

#include <optional>
#include <string>

#include "trellis/base/input_file.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"

namespace trellis::tag {

// `comments`: which lines are none of the tokens; not given: as in training.
SequenceReader open_sequences(const TagModel& model, InputFile file,
                              std::optional<Comments> comments);

// Throws InputError unless the sequence has the columns that the model was trained on; the label
// column may be missing where it would be the last and `labelled` is false.
void check_columns(const TagModel& model, const TagSequence& sequence, const std::string& file,
                   bool labelled);

// For a sequence that the model's rules leave no labels (in BIOES, a single token where training
// had neither O nor S).
[[noreturn]] void throw_no_labels(const std::string& file, const TagSequence& sequence);

}  // namespace trellis::tag
