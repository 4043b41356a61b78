// Sums over walks in the scaled domain (Rabiner 1989, sec. V.A): one exponential for each part and
// none for each step. Messages are rescaled by powers of two, so scaling never rounds.
//
// When is that exact up to rounding? Let Δ be the spread of the jump scores and that of the
// departures together, and σ that of the stops. If another position replaces one that a walk takes,
// the score changes by the difference of two nodes and by at most 2 Δ + σ. So the continuations of
// a position are at most e^max(Δ, σ) times as likely as those of another, and a message or an
// exponential that underflows below 1e-300 of the largest in its row carries less than 1e-300
// e^{2Δ+σ} of the sum. If 2 Δ + σ ≤ kLargestJumpSpread that is negligible, for any difference of
// nodes; otherwise the log domain takes over.
#include <algorithm>
#include <cmath>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/toeplitz_kernels.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/sequences/jump_chain.h"

namespace trellis {
namespace {

constexpr double kLogOfTwo = 0.693147180559945309417;
constexpr double kLargestJumpSpread = 300;  // e^300 ≈ 1e130

}  // namespace

// Jumps and departures are divided by the largest of theirs, which goes to the nodes: a step to
// nothing has neither. `shift` is the logarithm of what was taken out along a walk.
bool JumpChain::exponentiate(std::span<const double> s, Scratch& scratch, double& shift) const {
  const Index width = positions_ + 1;
  spread_jumps(s, scratch.reached);
  scratch.jump.resize(scratch.reached.size());
  scratch.depart.resize(width);
  scratch.stop.resize(width);
  double jump_shift = 0, depart_shift = 0, stop_shift = 0;
  const double jump_spread = exp_rows(scratch.reached.data(), 1, scratch.jump.size(),
                                      scratch.jump.size(), scratch.jump.data(), &jump_shift);
  const double depart_spread = exp_rows(s.data() + depart_part(kNoLabel), 1, width, width,
                                        scratch.depart.data(), &depart_shift);
  const double stop_spread =
      exp_rows(s.data() + stop_part(kNoLabel), 1, width, width, scratch.stop.data(), &stop_shift);
  if (positions_ > 0 && !(2 * (jump_spread + depart_spread) + stop_spread <= kLargestJumpSpread)) {
    return false;
  }
  scratch.shifted.assign(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(length_ * width));
  for (Index j = 0; j < length_; ++j) {
    double* node = scratch.shifted.data() + j * width;
    for (Index i = 0; i < positions_; ++i) node[i] += jump_shift + depart_shift;
  }
  scratch.node.resize(length_ * width);
  scratch.shifts.resize(length_);
  exp_rows(scratch.shifted.data(), length_, width, width, scratch.node.data(),
           scratch.shifts.data());
  shift = stop_shift;
  for (const double row : scratch.shifts) shift += row;
  return true;
}

// forward(j, k) = Π_{r≤j} scales(r) · Σ of exp(score) over the first j steps that leave memory k;
// arrivals(j, i) is the part of it that jumps to i in step j, without the node and the scale.
bool JumpChain::forward_scaled(std::span<const double> s, Scratch& scratch, double& value) const {
  double shift = 0;
  if (!exponentiate(s, scratch, shift)) return false;
  const Index width = memories();
  scratch.forward.assign((length_ + 1) * width, 0.0);
  scratch.arrivals.resize(length_ * positions_);
  scratch.scales.resize(length_);
  scratch.leaving.resize(width);
  double* forward = scratch.forward.data();
  forward[0] = 1;
  long long exponents = 0;
  for (Index j = 0; j < length_; ++j, forward += width) {
    const double* node = scratch.node.data() + j * width;
    double* arrivals = scratch.arrivals.data() + j * positions_;
    double* next = forward + width;
    for (Index k = 0; k < width; ++k) scratch.leaving[k] = forward[k] * scratch.depart[k];
    toeplitz_product(scratch.leaving, scratch.jump.data() + positions_, {arrivals, positions_});
    next[0] = forward[0] * node[positions_];
    double largest = next[0];
    for (Index i = 0; i < positions_; ++i) {
      next[i + 1] = arrivals[i] * node[i] + forward[i + 1] * node[positions_];
      largest = std::max(largest, next[i + 1]);
    }
    const int exponent = std::ilogb(largest);
    exponents += exponent;
    scratch.scales[j] = std::ldexp(1.0, -exponent);
    for (Index k = 0; k < width; ++k) next[k] *= scratch.scales[j];
  }
  scratch.total = dot({forward, width}, scratch.stop);
  value = portable_log(scratch.total) + static_cast<double>(exponents) * kLogOfTwo + shift;
  return true;
}

// Requires forward_scaled. backward(k) is scaled such that forward · backward is the probability
// of memory k; entering(i) is what a jump to i in step j contributes from there on.
void JumpChain::marginals_scaled(Scratch& scratch, std::span<double> marginals) const {
  const Index width = memories();
  std::fill(marginals.begin(), marginals.end(), 0.0);
  double* depart = marginals.data() + depart_part(kNoLabel);
  double* stop = marginals.data() + stop_part(kNoLabel);
  const double* forward = scratch.forward.data() + length_ * width;
  std::vector<double>& backward = scratch.backward;
  backward.resize(width);
  for (Index k = 0; k < width; ++k) {
    backward[k] = scratch.stop[k] / scratch.total;
    stop[k] = forward[k] * backward[k];
  }
  scratch.reversed.assign(scratch.jump.rbegin(), scratch.jump.rend());
  scratch.reached.assign(2 * positions_, 0.0);
  scratch.entering.resize(positions_);
  scratch.row.resize(width);
  for (Index j = length_; j-- > 0;) {
    forward -= width;
    const double* node = scratch.node.data() + j * width;
    const double* arrivals = scratch.arrivals.data() + j * positions_;
    double* marginal = marginals.data() + j * width;
    const double scale = scratch.scales[j], nothing = node[positions_] * scale;
    for (Index i = 0; i < positions_; ++i) {
      scratch.entering[i] = node[i] * scale * backward[i + 1];
      marginal[i] = arrivals[i] * scratch.entering[i];
    }
    toeplitz_product(scratch.entering, scratch.reversed.data() + positions_ - 1, scratch.row);
    double kept = 0;
    for (Index k = 0; k < width; ++k) {
      scratch.leaving[k] = forward[k] * scratch.depart[k];
      depart[k] += scratch.leaving[k] * scratch.row[k];
      kept += forward[k] * backward[k];
      backward[k] = scratch.depart[k] * scratch.row[k] + nothing * backward[k];
    }
    marginal[positions_] = kept * nothing;
    add_toeplitz(scratch.leaving, scratch.entering, scratch.reached.data() + positions_);
  }
  for (Index d = 0; d < scratch.reached.size(); ++d) {
    const auto distance =
        static_cast<std::ptrdiff_t>(d + 1) - static_cast<std::ptrdiff_t>(positions_);
    marginals[jump_part(distance)] += scratch.reached[d] * scratch.jump[d];
  }
}

// Forward filtering, backward sampling (Carter & Kohn 1994). Requires forward_scaled.
void JumpChain::sample_scaled(Random& random, Scratch& scratch, Output& y) const {
  const Index width = memories();
  const double* forward = scratch.forward.data() + length_ * width;
  scratch.row.resize(width);
  for (Index k = 0; k < width; ++k) scratch.row[k] = forward[k] * scratch.stop[k];
  Index last = draw(scratch.row, random);
  for (Index j = length_; j-- > 0;) {
    forward -= width;
    if (last == 0) break;  // nothing was taken so far
    const Index i = last - 1;
    const double* node = scratch.node.data() + j * width;
    const double weights[2] = {forward[last] * node[positions_],
                               scratch.arrivals[j * positions_ + i] * node[i]};
    if (draw(weights, random) == 0) continue;
    y[j] = static_cast<Label>(i);
    for (Index k = 0; k < width; ++k) {
      scratch.row[k] = forward[k] * scratch.depart[k] * scratch.jump[positions_ - k + i];
    }
    last = draw(scratch.row, random);
  }
}

}  // namespace trellis
