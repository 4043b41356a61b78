// Sums over what the logical factors ONE-OF, AT-MOST-ONE, OR and BUDGET allow, on plain arrays.
//
// Literal i holds with weight e^{e_i} and does not with weight 1. Each function returns log Σ over
// the legal subsets of literals of Π_{i in it} e^{e_i} and writes the messages
//
//   m_i = log (Σ over subsets with i, its own weight left out) − log (Σ over subsets without i),
//
// so that i holds with log-odds e_i + m_i (Martins et al. 2010, app. A, has ratios of the same
// sums). ±∞ where i must or must not hold. Nothing is subtracted: sums over the others are put
// together from those before i and those after it, in the log domain. O(K), and O(K b) for BUDGET.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Holds its memory, which repeated calls reuse; one for each thread.
class LiteralSums {
 public:
  double one_of(std::span<const double> e, std::span<double> messages);
  double at_most_one(std::span<const double> e, std::span<double> messages);
  double one_or_more(std::span<const double> e, std::span<double> messages);
  double at_most(Index budget, std::span<const double> e, std::span<double> messages);

  // Of the distributions over subsets. They are sums of non-negative terms.
  double entropy_of_one_of(std::span<const double> e);
  double entropy_of_at_most_one(std::span<const double> e);
  double entropy_of_one_or_more(std::span<const double> e);
  double entropy_of_at_most(Index budget, std::span<const double> e);

 private:
  double at_most_one_besides(double none, std::span<const double> e, std::span<double> messages);
  void fill_some_behind(std::span<const double> e);
  void fill_counts_behind(Index budget, std::span<const double> e);
  std::span<const double> with_none(std::span<const double> e);

  std::vector<double> behind_;      // log Σ over what literals i, i + 1, … may do
  std::vector<double> all_behind_;  // over all that they may
  std::vector<double> counts_;      // over those before i, by how many hold
  std::vector<double> row_;
};

}  // namespace trellis
