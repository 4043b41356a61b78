// Sums over walks in the log domain: safe for all scores. As in chain_log.cc one backward recursion
// makes the distribution a Markov chain, here over the last position taken, and marginals and
// entropy follow by running it forward.
#include <algorithm>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/sequences/jump_chain.h"

namespace trellis {

// row[i], i < I: the score of jumping from memory `last` to i in step j and all that may follow;
// row[I]: that of taking nothing. backward(j + 1, ·) must be known.
void JumpChain::log_options(std::span<const double> s, Index j, Index last,
                            Scratch& scratch) const {
  const double* node = s.data() + j * (positions_ + 1);
  const double* after = scratch.backward.data() + (j + 1) * memories();
  const double depart = s[depart_part(kNoLabel) + last];
  scratch.row.resize(positions_ + 1);
  for (Index i = 0; i < positions_; ++i) {
    scratch.row[i] = depart + scratch.jump[positions_ - last + i] + node[i] + after[i + 1];
  }
  scratch.row[positions_] = node[positions_] + after[last];
}

// backward(j, k) = log Σ of exp(score) over what may follow memory k from step j on, less a
// constant that keeps the numbers small.
double JumpChain::backward_log(std::span<const double> s, Scratch& scratch) const {
  spread_jumps(s, scratch.jump);
  scratch.backward.resize((length_ + 1) * memories());
  const double* stop = s.data() + stop_part(kNoLabel);
  std::copy(stop, stop + memories(),
            scratch.backward.end() - static_cast<std::ptrdiff_t>(memories()));
  double shift = 0;
  for (Index j = length_; j-- > 0;) {
    double* backward = scratch.backward.data() + j * memories();
    for (Index k = 0; k < memories(); ++k) {
      log_options(s, j, k, scratch);
      backward[k] = log_sum_exp(scratch.row);
    }
    const double largest = max_value({backward, memories()});
    for (Index k = 0; k < memories(); ++k) backward[k] -= largest;
    shift += largest;
  }
  return scratch.backward[0] + shift;
}

// Requires backward_log.
void JumpChain::marginals_log(std::span<const double> s, Scratch& scratch,
                              std::span<double> marginals) const {
  std::fill(marginals.begin(), marginals.end(), 0.0);
  scratch.forward.assign((length_ + 1) * memories(), 0.0);
  scratch.forward[0] = 1;
  for (Index j = 0; j < length_; ++j) {
    const double* forward = scratch.forward.data() + j * memories();
    double* next = scratch.forward.data() + (j + 1) * memories();
    double* node = marginals.data() + j * (positions_ + 1);
    for (Index k = 0; k < memories(); ++k) {
      if (forward[k] == 0) continue;
      log_options(s, j, k, scratch);
      softmax(scratch.row, scratch.row);
      for (Index i = 0; i < positions_; ++i) {
        const double p = forward[k] * scratch.row[i];
        next[i + 1] += p;
        node[i] += p;
        marginals[depart_part(kNoLabel) + k] += p;
        marginals[jump_part(static_cast<std::ptrdiff_t>(i + 1) - static_cast<std::ptrdiff_t>(k))] +=
            p;
      }
      const double kept = forward[k] * scratch.row[positions_];
      next[k] += kept;
      node[positions_] += kept;
    }
  }
  const double* forward = scratch.forward.data() + length_ * memories();
  std::copy(forward, forward + memories(), marginals.data() + stop_part(kNoLabel));
}

double JumpChain::entropy(std::span<const double> s, Scratch& scratch) const {
  backward_log(s, scratch);
  scratch.forward.assign((length_ + 1) * memories(), 0.0);
  scratch.forward[0] = 1;
  double entropy = 0;
  for (Index j = 0; j < length_; ++j) {
    const double* forward = scratch.forward.data() + j * memories();
    double* next = scratch.forward.data() + (j + 1) * memories();
    for (Index k = 0; k < memories(); ++k) {
      if (forward[k] == 0) continue;
      log_options(s, j, k, scratch);
      entropy += forward[k] * softmax_entropy(scratch.row);
      softmax(scratch.row, scratch.row);
      for (Index i = 0; i < positions_; ++i) next[i + 1] += forward[k] * scratch.row[i];
      next[k] += forward[k] * scratch.row[positions_];
    }
  }
  return entropy;
}

// Runs the Markov chain. Requires backward_log.
void JumpChain::sample_log(std::span<const double> s, Random& random, Scratch& scratch,
                           Output& y) const {
  Index last = 0;
  for (Index j = 0; j < length_; ++j) {
    log_options(s, j, last, scratch);
    softmax(scratch.row, scratch.row);
    const Index i = draw(scratch.row, random);
    if (i == positions_) continue;
    y[j] = static_cast<Label>(i);
    last = i + 1;
  }
}

}  // namespace trellis
