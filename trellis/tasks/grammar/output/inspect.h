// What a grammar has learned: how likely its rules are, and what weights they have. Features are
// known to a model by their fingerprints alone, so those are told that are rules and nothing else.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/grammar/model/grammar_model.h"

namespace trellis::grammar {

std::string inspect_text(const GrammarModel& model, const std::string& name, Index top);
Value inspect_record(const GrammarModel& model, Index top);

}  // namespace trellis::grammar
