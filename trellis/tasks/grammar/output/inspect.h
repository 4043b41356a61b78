// What a grammar has learned: the probabilities and weights of its rules. A model stores only
// fingerprints of features, so that only features that name a rule can be listed.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/grammar/model/grammar_model.h"

namespace trellis::grammar {

std::string inspect_text(const GrammarModel& model, const std::string& name, Index top);
Value inspect_record(const GrammarModel& model, Index top);

}  // namespace trellis::grammar
