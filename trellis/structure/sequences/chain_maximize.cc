// The best label sequence (Viterbi 1967). Only the values of the forward recursion are kept: the
// predecessors along the one path that is wanted are found again on the way back, which makes the
// inner loop an addition and a maximum.
#include <algorithm>

#include "trellis/solve/vectors/segment_matrix.h"
#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {

// The best of the last messages with its stop score, and its state.
double Chain::Passes::best_end(const double* forward, const Scratch& scratch, State& last) const {
  double best = kImpossible;
  for (State u = end_begin(); u < end_end(); ++u) {
    const double value = forward[u] + scratch.stop[u];
    if (value > best) best = value, last = u;
  }
  return best;
}

// forward(t, v) = the best score of a sequence that ends in v at t. Returns the best of all, and
// the state where it ends.
double Chain::Passes::forward_max(Scratch& scratch, State& last) const {
  const Index states = states_->num_states();
  Scratch::grow(scratch.forward, length_ * states);
  double* forward = scratch.forward.data();
  std::copy(scratch.first.begin(), scratch.first.end(), forward);
  for (Index t = 1; t < length_; ++t, forward += states) {
    max_plus(states_->step(t), scratch.table + t * table_stride(), forward,
             scratch.node + t * scratch.node_stride, forward + states);
  }
  return best_end(forward, scratch, last);
}

// The first of the states at t−1, whose messages are `forward`, through which v was reached at t.
Chain::State Chain::Passes::best_predecessor(const double* forward, const Scratch& scratch, Index t,
                                             State v) const {
  const SegmentMatrix::Group& group = states_->predecessors(t, v);
  const double* column = scratch.table + t * table_stride() + (v - group.first_column);
  double best = kImpossible;
  State argument = 0;
  for (const SegmentMatrix::Row& row : states_->rows(group)) {
    const double value = forward[row.row] + column[row.entries];
    const bool better = value > best;  // chosen without a branch: nobody could predict it
    best = better ? value : best;
    argument = better ? row.row : argument;
  }
  return argument;
}

double Chain::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  const Passes passes(*this);
  passes.prepare(s, scratch);
  State u = 0;
  const double best = passes.forward_max(scratch, u);
  y.clear();
  if (best == kImpossible) return best;
  y.resize(length_);
  y.back() = states_->label(u);
  for (Index t = length_ - 1; t > 0; --t) {
    u = passes.best_predecessor(scratch.forward.data() + (t - 1) * states_->num_states(), scratch,
                                t, u);
    y[t - 1] = states_->label(u);
  }
  return best;
}

}  // namespace trellis
