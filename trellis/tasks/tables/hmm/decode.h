// Predicts the states of sequences.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/hmm/hmm_inference.h"
#include "trellis/problem/cost_table.h"
#include "trellis/tasks/tables/decode.h"

namespace trellis::hmm {

using generative::Decode;

// Returns log P(s, x) of the best sequence, or log P(x); −∞ if x is impossible, and then there are
// no states. The states of x are ignored.
double decode(const HmmInference& inference, const HmmSequence& x, Decode how, HmmScratch& scratch,
              std::vector<Label>& states);

// Σ_t cost(truth, prediction) over positions with a known truth. A state that the model does not
// have costs as much as the worst mistake.
double loss_of(const CostTable& costs, std::span<const Label> truth, std::span<const Label> found);

}  // namespace trellis::hmm
