// A model for people: its variables and arrows, how it was made, and its tables of probabilities;
// and draws from it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/bayes/bayes_model.h"

namespace trellis::bayes {

// `tables`: with all probabilities, to six digits.
std::string inspect_text(const BayesModel& model, bool tables);
Value inspect_record(const BayesModel& model, bool tables);

// Variables and the values that they are to have.
using Given = std::vector<std::pair<std::string, std::string>>;
// "wind=gale,fog=yes". Throws UsageError for anything else.
Given parse_given(const std::string& text);

// Rows drawn from a model given some values, as CSV with a header. Throws UsageError where a
// variable or value is not the model's, or the values have probability 0.
std::string sample_text(const BayesModel& model, Index count, const Given& given,
                        std::uint64_t seed);
// The note that is due where masses below 1 were scaled up.
std::string sample_note(const BayesModel& model);

}  // namespace trellis::bayes
