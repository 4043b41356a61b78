// A model as text: variables and arrows, how it was made, and probability tables; and random rows
// drawn from it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"

namespace trellis::bayes {

// `tables`: print all probabilities, with six digits.
std::string inspect_text(const BayesModel& model, bool tables);
Value inspect_record(const BayesModel& model, bool tables);

// Variables with given values.
using Given = std::vector<std::pair<std::string, std::string>>;
// Parses "wind=gale,fog=yes". Throws UsageError for anything else.
Given parse_given(const std::string& text);

// Rows drawn from a model for given values, as CSV with a header. Throws UsageError if the model
// lacks a variable or value, or the given values have probability 0.
std::string sample_text(const BayesModel& model, Index count, const Given& given,
                        std::uint64_t seed);
// A note for models in which masses below 1 were scaled up; otherwise empty.
std::string sample_note(const BayesModel& model);

}  // namespace trellis::bayes
