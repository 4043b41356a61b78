// Sums over label sequences in the scaled domain (Rabiner 1989, sec. V.A), with one exponential for
// each part and none for each step. Messages are rescaled by powers of two, so scaling never
// rounds.
//
// When is that exact up to rounding? Let every exponential of an allowed part be ≥ kSmallestPart
// (relative to the largest of its table or position) and every positive message ≥ kSmallestMessage.
// Then no product of a message, a transition and a node underflows: a message is 0 only if its
// state cannot be reached, and all others have full precision. Backward messages are at most 1 /
// kSmallestMessage where the forward ones are positive; they may underflow, but only where the
// marginal itself is below 1e-300. Both bounds are checked.
//
// If one fails, parts are taken relative to the best scores f of the prefixes that end in each
// state (chain_maximize.cc), which does not change the distribution (Wainwright, Jaakkola & Willsky
// 2004, on reparametrisation by max-marginals):
//
//   W_t(u, v) = exp(f_{t−1}(u) + table_t(u, v) + node_t(v) − f_t(v)) ≤ 1,   max_u W_t(u, v) = 1
//
// replace the tables, and 1 replaces the nodes. A message is then at least the smallest positive
// one before it, and a W that underflows is negligible in its sum. This needs the maxima, and an
// exponential for each step. If there are more than kMostSteps steps, or messages are still too far
// apart, the sequence is computed again in the log domain (chain_log.cc).
#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/solve/vectors/segment_matrix.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {
namespace {

constexpr double kLog2 = 0.693147180559945309417;
constexpr double kLargestSpread = 200;       // of part scores: kSmallestPart = e^−200 ≈ 1e-87
constexpr double kSmallestMessage = 1e-120;  // 1e-120 · 1e-87 · 1e-87 is far from 2e-308
constexpr Index kChunk = 16;  // positions whose edge marginals are summed up in one go
constexpr Index kMostSteps = Index{1} << 20;  // entries of all W: 8 MB

}  // namespace

// Fills exp_node, exp_table, exp_stop and the first forward message. `shift` is the logarithm of
// the factor removed along a sequence. False if the spread is too large.
bool Chain::Passes::exponentiate(Scratch& scratch, double& shift) const {
  const Index labels = states_->num_labels(), stride = scratch.node_stride;
  const Index transitions = states_->num_transitions(), steps = length_ - 1;
  const Index tables = steps == 0 ? 0 : tied() ? 1 : steps;
  Scratch::grow(scratch.exp_node, length_ * stride);
  Scratch::grow(scratch.exp_table, (tied() ? 1 : length_) * transitions);
  Scratch::grow(scratch.exp_stop, states_->num_states());
  Scratch::grow(scratch.shifts, 2 * length_ + 2);

  double* shifts = scratch.shifts.data();
  double* node_shifts = shifts + 2;
  double* table_shifts = node_shifts + steps;
  const Index last_begin = end_begin(), last_size = end_end() - end_begin();
  const Index table_begin = table_stride() + labels;  // position 0 has initial transitions alone
  const double spread =
      std::max({exp_rows(scratch.first.data(), 1, labels, labels, scratch.forward.data(), shifts),
                exp_rows(scratch.stop.data() + last_begin, 1, last_size, last_size,
                         scratch.exp_stop.data() + last_begin, shifts + 1),
                exp_rows(scratch.node + stride, steps, stride, stride,
                         scratch.exp_node.data() + stride, node_shifts),
                exp_rows(scratch.table + table_begin, tables, transitions - labels, transitions,
                         scratch.exp_table.data() + table_begin, table_shifts)});

  shift = shifts[0] + shifts[1];
  for (Index t = 1; t < length_; ++t) {
    shift += node_shifts[t - 1];
    shift += table_shifts[tied() ? 0 : t - 1];
  }
  scratch.exp_stride = table_stride();
  return spread <= kLargestSpread;
}

// The same with W. False if that takes too much memory.
bool Chain::Passes::exponentiate_from_best(Scratch& scratch, double& shift) const {
  const Index states = states_->num_states(), transitions = states_->num_transitions();
  if (length_ * transitions > kMostSteps) return false;
  Scratch::grow(scratch.exp_table, length_ * transitions);
  std::fill_n(scratch.exp_node.begin(), length_ * scratch.node_stride, 1.0);
  scratch.exp_stride = transitions;
  scratch.best.assign(2 * states, kImpossible);
  double* before = scratch.best.data();
  double* best = before + states;
  scratch.row.resize(states);

  const auto less_largest = [&](double* f, State begin, State end) {
    const double largest = max_value({f + begin, end - begin});
    if (largest == kImpossible) return;
    for (State v = begin; v < end; ++v) f[v] -= largest;
    shift += largest;
  };
  shift = 0;
  std::copy(scratch.first.begin(), scratch.first.end(), before);
  less_largest(before, 0, static_cast<State>(states_->num_labels()));
  for (Index t = 1; t < length_; ++t) {
    const SegmentMatrix step = states_->step(t);
    const double* table = scratch.table + t * table_stride();
    const double* node = scratch.node + t * scratch.node_stride;
    max_plus(step, table, before, node, best);
    double* out = scratch.exp_table.data() + t * transitions;
    std::fill_n(out, transitions, kImpossible);
    for (const SegmentMatrix::Group& group : step.groups) {
      for (Index i = 0; i < group.width; ++i) {
        const double f = best[group.first_column + i];
        scratch.row[i] = f == kImpossible ? f : node[group.diagonal + i] - f;
      }
      for (const SegmentMatrix::Row& row : states_->rows(group)) {
        const double f = before[row.row];
        for (Index i = 0; i < group.width; ++i) {
          out[row.entries + i] = f + table[row.entries + i] + scratch.row[i];
        }
      }
    }
    exp_shifted({out, transitions}, 0, {out, transitions});
    less_largest(best, states_->states_begin(t), states_->states_end(t));
    std::swap(before, best);
  }
  for (State u = 0; u < states_->num_labels(); ++u) {
    scratch.forward[u] = scratch.first[u] == kImpossible ? 0 : 1;
  }
  const State begin = end_begin(), end = end_end();
  for (State v = begin; v < end; ++v) before[v] += scratch.stop[v];
  less_largest(before, begin, end);
  exp_shifted({before + begin, end - begin}, 0, {scratch.exp_stop.data() + begin, end - begin});
  return true;
}

// forward(t, v) = Π_{r≤t} scales(r) · Σ of exp(score) over the sequences that end in v at t.
bool Chain::Passes::forward_scaled(Scratch& scratch, double& value) const {
  const Index states = states_->num_states();
  Scratch::grow(scratch.forward, length_ * states);
  Scratch::grow(scratch.scales, length_);
  double shift = 0;
  const auto sum_up = [&] {  // false where messages are too far apart
    double* forward = scratch.forward.data();
    double largest = max_value({forward, states_->num_labels()});
    long long exponents = 0;
    value = kImpossible;
    for (Index t = 1; t < length_; ++t, forward += states) {
      if (largest == 0) return true;
      const int exponent = std::ilogb(largest);
      exponents += exponent;
      scratch.scales[t] = std::ldexp(1.0, -exponent);
      const MessageRange range = multiply(
          states_->step(t), scratch.exp_table.data() + t * scratch.exp_stride, forward,
          scratch.exp_node.data() + t * scratch.node_stride, scratch.scales[t], forward + states);
      if (range.smallest_positive < kSmallestMessage) return false;
      largest = range.largest;
    }
    const Index begin = end_begin(), size = end_end() - end_begin();
    scratch.total = dot({forward + begin, size}, {scratch.exp_stop.data() + begin, size});
    if (scratch.total == 0) return true;
    value = portable_log(scratch.total) + static_cast<double>(exponents) * kLog2 + shift;
    return true;
  };
  return (exponentiate(scratch, shift) && sum_up()) ||
         (exponentiate_from_best(scratch, shift) && sum_up());
}

// Requires forward_scaled with a finite value. backward(t, u) is scaled such that forward ·
// backward is the marginal of u at t; incoming(t, v) is the contribution of the step into v and all
// later ones.
void Chain::Passes::marginals_scaled(Scratch& scratch, std::span<double> marginals) const {
  const Index states = states_->num_states();
  const auto order = static_cast<Index>(states_->order());
  std::fill(marginals.begin(), marginals.end(), 0.0);
  scratch.backward.assign(states, 0.0);
  Scratch::grow(scratch.incoming, kChunk * states);
  const double* forward = scratch.forward.data() + (length_ - 1) * states;
  double* backward = scratch.backward.data();
  for (State u = end_begin(); u < end_end(); ++u) {
    backward[u] = scratch.exp_stop[u] / scratch.total;
    marginals[final_part(u)] = forward[u] * backward[u];
  }

  Index pending = 0;  // positions t … t + pending − 1 have their incoming, but not yet their edges
  for (Index t = length_ - 1; t > 0; --t, forward -= states) {
    double* incoming = scratch.incoming.data() + (kChunk - 1 - pending) * states;
    const SegmentMatrix step = states_->step(t);
    const double* table = scratch.exp_table.data() + t * scratch.exp_stride;
    const bool direct = states_->slots_are_labels();
    if (!direct) scratch.slot_sums.assign(scratch.node_stride, 0.0);
    weigh_columns(step, forward, backward, scratch.exp_node.data() + t * scratch.node_stride,
                  scratch.scales[t], incoming,
                  direct ? marginals.data() + node_part(t, 0) : scratch.slot_sums.data());
    if (!direct) add_slot_sums(scratch, t, marginals);
    ++pending;
    // Before position `order` each step has its own pattern.
    if (scratch.exp_stride > 0 || pending == kChunk || t <= order) {
      add_outer(step, table, forward - states, incoming, pending, states,
                marginals.data() + transition_part(t, 0));
      pending = 0;
    }
    std::fill(backward + states_->states_begin(t - 1), backward + states_->states_end(t - 1), 0.0);
    multiply_rows(step, table, incoming, backward);
  }
  for (State u = 0; u < states_->num_labels(); ++u) {
    marginals[u] = marginals[transition_part(0, u)] = forward[u] * backward[u];
  }
}

void Chain::Passes::add_slot_sums(const Scratch& scratch, Index t,
                                  std::span<double> marginals) const {
  const std::span<const Label> slots = states_->slots();
  for (Index i = 0; i < slots.size(); ++i) {
    marginals[node_part(t, slots[i])] += scratch.slot_sums[i];
  }
}

double Chain::log_partition(std::span<const double> s, Scratch& scratch,
                            std::span<double> marginals) const {
  assert(marginals.size() == num_parts());
  const Passes passes(*this);
  passes.prepare(s, scratch);
  double value = kImpossible;
  const bool scaled = passes.forward_scaled(scratch, value);
  if (!scaled) value = passes.backward_log(scratch);
  if (value == kImpossible) {
    std::fill(marginals.begin(), marginals.end(), 0.0);
  } else if (scaled) {
    passes.marginals_scaled(scratch, marginals);
  } else {
    passes.marginals_log(scratch, marginals);
  }
  return value;
}

double Chain::log_partition(std::span<const double> s, Scratch& scratch) const {
  const Passes passes(*this);
  passes.prepare(s, scratch);
  double value = kImpossible;
  return passes.forward_scaled(scratch, value) ? value : passes.backward_log(scratch);
}

}  // namespace trellis
