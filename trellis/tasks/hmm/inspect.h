// A model for people: what it is about, how it was made, and its tables of probabilities.
#pragma once

#include <string>

#include "trellis/data/value.h"
#include "trellis/tasks/hmm/sequence_model.h"

namespace trellis::hmm {

// `tables`: with all probabilities, to six digits.
std::string inspect_text(const SequenceModel& model, bool tables);
Value inspect_record(const SequenceModel& model, bool tables);

// Sequences drawn from a model, as the files that it was trained on: by columns. Throws UsageError
// where it comes to a distribution without mass.
std::string sample_text(const SequenceModel& model, Index count, Index length, std::uint64_t seed);
// The note that is due where masses below 1 were scaled up.
std::string sample_note(const SequenceModel& model);

}  // namespace trellis::hmm
