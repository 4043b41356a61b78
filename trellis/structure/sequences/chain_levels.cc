// The best label sequence of each level: Viterbi's recursion over (level so far, state). A label's
// level moves its message from one layer of levels to another, so each layer is one step of
// max_plus, and no two sources meet.
#include <algorithm>
#include <cassert>

#include "trellis/solve/vectors/segment_matrix.h"
#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {

// forward(t, ℓ, v) = the best score of a sequence that ends in v at t and has level ℓ so far.
void Chain::Passes::forward_levels(std::span<const std::uint32_t> levels, Index num_levels,
                                   Scratch& scratch) const {
  const Index states = states_->num_states(), layer = num_levels * states;
  scratch.forward.assign(length_ * layer, kImpossible);
  Scratch::grow(scratch.row, states);
  double* forward = scratch.forward.data();
  for (State u = 0; u < states_->num_labels(); ++u) {
    if (levels[u] < num_levels) forward[levels[u] * states + u] = scratch.first[u];
  }
  for (Index t = 1; t < length_; ++t, forward += layer) {
    const State begin = states_->states_begin(t), end = states_->states_end(t);
    const State before_begin = states_->states_begin(t - 1),
                before_end = states_->states_end(t - 1);
    for (Index level = 0; level < num_levels; ++level) {
      const double* before = forward + level * states;
      if (std::all_of(before + before_begin, before + before_end,
                      [](double value) { return value == kImpossible; })) {
        continue;
      }
      max_plus(states_->step(t), scratch.table + t * table_stride(), before,
               scratch.node + t * scratch.node_stride, scratch.row.data());
      for (State v = begin; v < end; ++v) {
        const Index after = level + levels[node_part(t, states_->label(v))];
        if (after < num_levels) forward[layer + after * states + v] = scratch.row[v];
      }
    }
  }
}

std::uint64_t Chain::highest_level(std::span<const std::uint32_t> levels) const {
  std::uint64_t sum = 0;
  const Index labels = states_->num_labels();
  for (Index t = 0; t < length_; ++t) {
    sum += *std::max_element(levels.begin() + static_cast<std::ptrdiff_t>(t * labels),
                             levels.begin() + static_cast<std::ptrdiff_t>((t + 1) * labels));
  }
  return sum;
}

void Chain::maximize_levels(std::span<const double> s, std::span<const std::uint32_t> levels,
                            Index num_levels, Scratch& scratch,
                            std::vector<ScoredOutput<Output>>& best) const {
  assert(levels.size() == length_ * states_->num_labels());
  best.resize(num_levels);
  if (num_levels == 0) return;
  const Passes passes(*this);
  passes.prepare(s, scratch);
  passes.forward_levels(levels, num_levels, scratch);
  const Index states = states_->num_states(), layer = num_levels * states;
  for (Index level = 0; level < num_levels; ++level) {
    auto& [y, score] = best[level];
    const double* last = scratch.forward.data() + (length_ - 1) * layer + level * states;
    State u = 0;
    score = passes.best_end(last, scratch, u);
    y.clear();
    if (score == kImpossible) continue;
    y.resize(length_);
    y.back() = states_->label(u);
    Index left = level;
    for (Index t = length_ - 1; t > 0; --t) {
      left -= levels[node_part(t, y[t])];
      u = passes.best_predecessor(scratch.forward.data() + (t - 1) * layer + left * states, scratch,
                                  t, u);
      y[t - 1] = states_->label(u);
    }
  }
}

}  // namespace trellis
