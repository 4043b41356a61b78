// What a model of factor graphs has learned: its domains and types, and its strongest weights.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/factors/factors_model.h"

namespace trellis::factors {

std::string inspect_text(const FactorsModel& model, const std::string& name, Index top);
Value inspect_record(const FactorsModel& model, Index top);

}  // namespace trellis::factors
