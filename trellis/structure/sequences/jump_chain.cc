#include "trellis/structure/sequences/jump_chain.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

JumpChain::JumpChain(Index length, Index positions, Index reach)
    : length_(length), positions_(positions), reach_(reach) {
  assert(reach >= 1);
}

Index JumpChain::jump_part(std::ptrdiff_t distance) const {
  const auto reach = static_cast<std::ptrdiff_t>(reach_);
  return jump_begin() + static_cast<Index>(std::clamp(distance, -reach, reach) + reach);
}

bool JumpChain::legal(const Output& y) const {
  return y.size() == length_ && std::all_of(y.begin(), y.end(), [&](Label taken) {
           return taken == kNoLabel || (taken >= 0 && static_cast<Index>(taken) < positions_);
         });
}

// Calls visit(part of the node, parts of the jump or num_parts() if there is no jump) step by step,
// and for the stop at the end.
template <class Visit>
void JumpChain::walk(const Output& y, const Visit& visit) const {
  Label last = kNoLabel;
  for (Index j = 0; j < length_; ++j) {
    if (y[j] == kNoLabel) {
      visit(node_part(j, y[j]), num_parts(), num_parts());
    } else {
      visit(node_part(j, y[j]), depart_part(last), jump_part(y[j] - last));
      last = y[j];
    }
  }
  visit(stop_part(last), num_parts(), num_parts());
}

void JumpChain::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  walk(y, [&](Index node, Index depart, Index jump) {
    z[node] += 1;
    if (depart == num_parts()) return;
    z[depart] += 1;
    z[jump] += 1;
  });
}

double JumpChain::score(std::span<const double> s, const Output& y) const {
  assert(legal(y));
  double score = 0;
  walk(y, [&](Index node, Index depart, Index jump) {
    if (depart != num_parts()) score += s[depart] + s[jump];
    score += s[node];
  });
  return score;
}

void JumpChain::spread_jumps(std::span<const double> s, std::vector<double>& by_distance) const {
  by_distance.resize(2 * positions_);
  for (Index d = 0; d < by_distance.size(); ++d) {
    const auto distance =
        static_cast<std::ptrdiff_t>(d + 1) - static_cast<std::ptrdiff_t>(positions_);
    by_distance[d] = s[jump_part(distance)];
  }
}

// Forward in j. came_from[j][k] is the memory before the step that led to memory k, or kNoLabel if
// that step took nothing.
double JumpChain::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  assert(s.size() == num_parts());
  spread_jumps(s, scratch.jump);
  const double* depart = s.data() + depart_part(kNoLabel);
  std::vector<double>&best = scratch.forward, &next = scratch.backward;
  best.assign(memories(), kImpossible);
  best[0] = 0;
  next.resize(memories());
  scratch.came_from.assign(length_ * memories(), kNoLabel);
  for (Index j = 0; j < length_; ++j) {
    const double* node = s.data() + j * (positions_ + 1);
    Label* from = scratch.came_from.data() + j * memories();
    for (Index k = 0; k < memories(); ++k) next[k] = best[k] + node[positions_];
    for (Index i = 0; i < positions_; ++i) {
      double arrival = kImpossible;
      Label via = kNoLabel;
      for (Index k = 0; k < memories(); ++k) {
        const double value = best[k] + (depart[k] + scratch.jump[positions_ - k + i]);
        if (value > arrival) arrival = value, via = static_cast<Label>(k);
      }
      arrival += node[i];
      if (arrival > next[i + 1]) next[i + 1] = arrival, from[i + 1] = via;
    }
    best.swap(next);
  }
  Index last = 0;
  double value = kImpossible;
  for (Index k = 0; k < memories(); ++k) {
    const double ended = best[k] + s[stop_part(kNoLabel) + k];
    if (ended > value) value = ended, last = k;
  }
  y.assign(length_, kNoLabel);
  for (Index j = length_; j-- > 0;) {
    const Label from = scratch.came_from[j * memories() + last];
    if (from == kNoLabel) continue;
    y[j] = static_cast<Label>(last) - 1;
    last = static_cast<Index>(from);
  }
  return value;
}

double JumpChain::log_partition(std::span<const double> s, Scratch& scratch,
                                std::span<double> marginals) const {
  assert(s.size() == num_parts() && marginals.size() == num_parts());
  double value = 0;
  if (forward_scaled(s, scratch, value)) {
    marginals_scaled(scratch, marginals);
  } else {
    value = backward_log(s, scratch);
    marginals_log(s, scratch, marginals);
  }
  return value;
}

double JumpChain::log_partition(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == num_parts());
  double value = 0;
  return forward_scaled(s, scratch, value) ? value : backward_log(s, scratch);
}

void JumpChain::sample(std::span<const double> s, Random& random, Scratch& scratch,
                       Output& y) const {
  assert(s.size() == num_parts());
  y.assign(length_, kNoLabel);
  double value = 0;
  if (forward_scaled(s, scratch, value)) {
    sample_scaled(random, scratch, y);
  } else {
    backward_log(s, scratch);
    sample_log(s, random, scratch, y);
  }
}

// A unit of flow through the memories, from "none yet" at the first step to any at the stop. The
// parts are followed by the flows of each step: take nothing at memory k, and jump from k to i.
LinearProgram JumpChain::linear_program() const {
  LinearProgram program;
  const Index per_step = memories() * (positions_ + 1);
  program.num_parts = num_parts();
  program.num_variables = num_parts() + length_ * per_step;
  const auto flow = [&](Index j, Index k, Index i) {
    return num_parts() + j * per_step + k * (positions_ + 1) + i;  // i = I: nothing
  };
  std::vector<LinearProgram::Row> balance((length_ + 1) * memories()), counts(num_parts());
  balance[0].lower = balance[0].upper = 1;
  for (Index j = 0; j < length_; ++j) {
    for (Index k = 0; k < memories(); ++k) {
      for (Index i = 0; i <= positions_; ++i) {
        const Index variable = flow(j, k, i);
        const bool taken = i < positions_;
        balance[j * memories() + k].terms.push_back({variable, 1.0});
        balance[(j + 1) * memories() + (taken ? i + 1 : k)].terms.push_back({variable, -1.0});
        counts[j * (positions_ + 1) + i].terms.push_back({variable, 1.0});
        if (!taken) continue;
        const auto distance = static_cast<std::ptrdiff_t>(i + 1) - static_cast<std::ptrdiff_t>(k);
        counts[depart_part(kNoLabel) + k].terms.push_back({variable, 1.0});
        counts[jump_part(distance)].terms.push_back({variable, 1.0});
      }
    }
  }
  for (Index k = 0; k < memories(); ++k) {
    balance[length_ * memories() + k].terms.push_back({stop_part(kNoLabel) + k, 1.0});
  }
  for (Index p = 0; p < stop_part(kNoLabel); ++p) counts[p].terms.push_back({p, -1.0});
  counts.resize(stop_part(kNoLabel));
  program.rows = std::move(balance);
  program.rows.insert(program.rows.end(), counts.begin(), counts.end());
  return program;
}

}  // namespace trellis
