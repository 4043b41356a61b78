// The dual variables of a flat classifier (learn/dual/smo.h), example by example: what is positive,
// and what is still in play.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

// The dual of one example. Labels ascend. The labels in play are all, or a list once few of them
// are left.
struct LabelDual {
  std::vector<std::uint32_t> support;  // the labels with α_i(y) > 0
  std::vector<double> alpha;           // theirs
  std::vector<std::uint32_t> listed;   // the labels in play; empty: all
  bool out = false;                    // the example is not in play
};

// Under the names "smo/…".
void save_duals(std::span<const LabelDual> duals, Checkpoint& checkpoint);
// Throws InputError where the checkpoint has other examples or labels.
void load_duals(const Checkpoint& checkpoint, Index num_labels, std::span<LabelDual> duals);

// The θ with Σ_k max(0, b_k − θ) = total > 0, by Michelot's algorithm (1986): the mean of the
// candidates shows which of them are certainly below θ, until none is. Ends after at most as many
// rounds as there are entries, and is exact up to rounding.
double simplex_threshold(std::span<const double> b, double total, std::vector<double>& candidates);

}  // namespace trellis
