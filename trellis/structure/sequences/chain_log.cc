// Sums over label sequences in the log domain: safe for all scores.
//
// One backward recursion gives the logarithm of the sum over what may follow each state. With it
// the distribution over sequences is a Markov chain, y_0 ~ p(y_0), u_t ~ p(u_t | u_{t−1}), each a
// softmax of its own; marginals and entropy follow by running that chain forward. So marginals are
// sums of products of normalised probabilities: they add up to 1 at every position, whatever the
// scores, and the entropy Σ_t E[H(u_t | u_{t−1})] has no negative term.
#include <algorithm>

#include "trellis/solve/vectors/segment_matrix.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {

// incoming(t, v) = node(t, v) + log Σ of exp(score) over what may follow v, less a constant that
// keeps the numbers small. first(u) is completed in the same way: p(u_0) ∝ exp(first).
double Chain::Passes::backward_log(Scratch& scratch) const {
  const Index states = states_->num_states();
  Scratch::grow(scratch.incoming, length_ * states);
  scratch.row.resize(states_->num_labels());
  scratch.backward = scratch.stop;
  double* backward = scratch.backward.data();
  double shift = 0;
  for (Index t = length_ - 1; t > 0; --t) {
    const SegmentMatrix step = states_->step(t);
    double* incoming = scratch.incoming.data() + t * states;
    for (const SegmentMatrix::Group& group : step.groups) {
      const double* node = scratch.node + t * scratch.node_stride + group.diagonal;
      for (Index i = 0; i < group.width; ++i) {
        incoming[group.first_column + i] = node[i] + backward[group.first_column + i];
      }
    }
    const State begin = states_->states_begin(t - 1), end = states_->states_end(t - 1);
    std::fill(backward + begin, backward + end, kImpossible);
    log_sum_rows(step, scratch.table + t * table_stride(), incoming, backward);
    const double largest = max_value({backward + begin, end - begin});
    if (largest == kImpossible) return kImpossible;
    for (State u = begin; u < end; ++u) backward[u] -= largest;
    shift += largest;
  }
  for (State u = 0; u < states_->num_labels(); ++u) scratch.first[u] += backward[u];
  return log_sum_exp(scratch.first) + shift;
}

// Requires backward_log with a finite value.
void Chain::Passes::marginals_log(Scratch& scratch, std::span<double> marginals) const {
  const Index states = states_->num_states();
  std::fill(marginals.begin(), marginals.end(), 0.0);
  scratch.forward.assign(length_ * states, 0.0);
  double* forward = scratch.forward.data();
  softmax(scratch.first, {forward, states_->num_labels()});
  for (State u = 0; u < states_->num_labels(); ++u) {
    marginals[u] = marginals[transition_part(0, u)] = forward[u];
  }
  for (Index t = 1; t < length_; ++t) {
    propagate(states_->step(t), scratch.table + t * table_stride(),
              scratch.incoming.data() + t * states, forward, forward + states,
              marginals.data() + transition_part(t, 0), scratch.row.data());
    forward += states;
    for (State v = states_->states_begin(t); v < states_->states_end(t); ++v) {
      marginals[node_part(t, states_->label(v))] += forward[v];
    }
  }
  for (State u = end_begin(); u < end_end(); ++u) marginals[final_part(u)] = forward[u];
}

double Chain::entropy(std::span<const double> s, Scratch& scratch) const {
  const Passes passes(*this);
  passes.prepare(s, scratch);
  if (passes.backward_log(scratch) == kImpossible) return 0;
  const Index states = states_->num_states();
  scratch.forward.assign(length_ * states, 0.0);
  double* forward = scratch.forward.data();
  double sum = softmax_entropy(scratch.first);
  softmax(scratch.first, {forward, states_->num_labels()});
  for (Index t = 1; t < length_; ++t, forward += states) {
    const SegmentMatrix step = states_->step(t);
    const double* table = scratch.table + t * table_stride();
    const double* incoming = scratch.incoming.data() + t * states;
    for (const SegmentMatrix::Group& group : step.groups) {
      for (const SegmentMatrix::Row& row : states_->rows(group)) {
        if (forward[row.row] == 0) continue;
        for (Index i = 0; i < group.width; ++i) {
          scratch.row[i] = table[row.entries + i] + incoming[group.first_column + i];
        }
        sum += forward[row.row] * softmax_entropy({scratch.row.data(), group.width});
      }
    }
    propagate(step, table, incoming, forward, forward + states, nullptr, scratch.row.data());
  }
  return sum;
}

}  // namespace trellis
