// Predicts the missing values of a row from a network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/inference.h"
#include "trellis/tasks/tables/decode.h"

namespace trellis::bayes {

using generative::Decode;

// Fills in the values kNoLabel. Returns log P(completed row) (map) or log P(given values)
// (posterior); returns −∞ and fills in nothing if the given values are impossible. `marginals` may
// be null; otherwise it gets P(value | given values) by variable.
double fill(NetworkInference& inference, Decode how, std::span<Label> row,
            std::vector<std::vector<double>>* marginals = nullptr);

// Throws the error about a row with impossible values.
[[noreturn]] void refuse_impossible(const std::string& file, Index line);

}  // namespace trellis::bayes
