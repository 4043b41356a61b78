// Smoothed relative frequencies of rules: the probability that a symbol is rewritten by each of its
// rules. For rare symbols, counts of the rule over all symbols of a kind help (for example, NP
// under any parent; Witten & Bell 1991):
//
//   p(r | A) = (c(r) + d(A) q(r)) / (c(A) + d(A)),      q(r) = c(r′) / c(A′)
//
// d(A) is the number of different rules of A, r′ and A′ the kinds of r and A. Rules that never
// occur with A have probability 0; their share of q goes to the rules that do, so that the
// probabilities of a symbol's rules sum to 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

struct CountedRule {
  std::uint32_t symbol = 0;     // that it rewrites
  std::uint32_t rule_kind = 0;  // r′; rules of one kind rewrite symbols of one kind
  double count = 0;             // above 0
};

std::vector<double> rule_frequencies(std::span<const CountedRule> rules);

}  // namespace trellis
