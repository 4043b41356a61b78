// What a network makes of the values that a row does not have.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/inference.h"
#include "trellis/tasks/generative/decode.h"

namespace trellis::bayes {

using generative::Decode;

// Fills in what is kNoLabel and returns log P(row) of the whole (map) or of what was there
// (posterior); −∞ where what was there is impossible, and then nothing is filled in. `marginals`
// may be null; else they become P(value | what was there) by variable.
double fill(NetworkInference& inference, Decode how, std::span<Label> row,
            std::vector<std::vector<double>>* marginals = nullptr);

// The complaint about a row with such values.
[[noreturn]] void refuse_impossible(const std::string& file, Index line);

}  // namespace trellis::bayes
