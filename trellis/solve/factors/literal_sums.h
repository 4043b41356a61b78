// Sums over the legal assignments of the factors ONE-OF, AT-MOST-ONE, OR and BUDGET, on arrays.
//
// Literal i is true with weight e^{e_i} and false with weight 1. Each function returns log Σ over
// the legal subsets of literals of Π_{i in subset} e^{e_i} and writes the messages
//
//   m_i = log (Σ over subsets with i, its own weight left out) − log (Σ over subsets without i),
//
// so that i is true with log-odds e_i + m_i (Martins et al. 2010, app. A, has ratios of the same
// sums). ±∞ if i must or must not be true. There is no subtraction: the sum over the others
// combines those before i and those after it, in the log domain. O(K), and O(K b) for BUDGET.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class LiteralSums {
 public:
  double one_of(std::span<const double> e, std::span<double> messages);
  double at_most_one(std::span<const double> e, std::span<double> messages);
  double one_or_more(std::span<const double> e, std::span<double> messages);
  double at_most(Index budget, std::span<const double> e, std::span<double> messages);

  // Entropies of the distributions over subsets, as sums of non-negative terms.
  double entropy_of_one_of(std::span<const double> e);
  double entropy_of_at_most_one(std::span<const double> e);
  double entropy_of_one_or_more(std::span<const double> e);
  double entropy_of_at_most(Index budget, std::span<const double> e);

 private:
  double at_most_one_besides(double none, std::span<const double> e, std::span<double> messages);
  void fill_some_behind(std::span<const double> e);
  void fill_counts_behind(Index budget, std::span<const double> e);
  std::span<const double> with_none(std::span<const double> e);

  std::vector<double> behind_;      // log Σ over the legal choices of literals i, i + 1, …
  std::vector<double> all_behind_;  // over all their choices
  std::vector<double> counts_;      // over those before i, by how many hold
  std::vector<double> row_;
};

}  // namespace trellis
