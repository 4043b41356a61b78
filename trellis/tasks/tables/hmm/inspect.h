// A model as text: its data, how it was made, and its probability tables.
#pragma once

#include <string>

#include "trellis/data/value.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"

namespace trellis::hmm {

// `tables`: print all probabilities, with six digits.
std::string inspect_text(const SequenceModel& model, bool tables);
Value inspect_record(const SequenceModel& model, bool tables);

// Sequences drawn from a model, in the format of its training files. Throws UsageError if it
// reaches a distribution without mass.
std::string sample_text(const SequenceModel& model, Index count, Index length, std::uint64_t seed);
// A note for models in which masses below 1 were scaled up; otherwise empty.
std::string sample_note(const SequenceModel& model);

}  // namespace trellis::hmm
