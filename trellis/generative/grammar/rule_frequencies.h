// Smoothed relative frequencies of rules: how likely a symbol is to be rewritten by each of its
// own. What is known of a rule among all symbols of a kind (say, NP whatever stands above it) helps
// where its own symbol was seldom seen (Witten & Bell 1991):
//
//   p(r | A) = (c(r) + d(A) q(r)) / (c(A) + d(A)),      q(r) = c(r′) / c(A′)
//
// d(A) being the number of different rules of A, r′ and A′ the kinds of r and A. Rules that A was
// never seen with are none of its own; their share of q is given to those that are, so that the
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
