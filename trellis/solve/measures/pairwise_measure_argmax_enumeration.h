// All sets of a few free labels at once: what pairwise_measure_argmax.h does where so few are left
// that 2^m sums take less time than a handful of cuts.
//
// The scores of all subsets grow label by label, s(S ∪ b) = s(S) + c_b(S) for S ⊆ {0 … b−1}, and so
// does c_b(S) = a_b + Σ_{q ∈ S} A_bq: two additions per set, in long runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/measures/pairwise_measure_argmax_cuts.h"

namespace trellis {

class SetEnumeration {
 public:
  static constexpr Index kMostLabels = 16;

  // The largest s(y) + gain[h·stride + f] over the sets that agree with what is fixed in `cuts`,
  // where at most kMostLabels labels are free; y becomes the first of the best. `fixed` counts the
  // labels that are fixed to 1.
  double maximize(const PairwiseCuts& cuts, const CountedSet& fixed, std::span<const double> gain,
                  Index stride, PairwiseCuts::Set y);

 private:
  void list_free(const PairwiseCuts& cuts);
  void sum_scores(const PairwiseCuts& cuts, double score);
  void spread_gains(std::span<const double> gains);
  double best_of_run(const double* scores, Index size) const;

  std::vector<std::uint32_t> free_;      // labels: the others first, then the true ones
  std::vector<std::uint32_t> position_;  // in free_, of each free label
  Index num_others_ = 0;                 // how many of them are not true
  std::vector<double> scores_;           // by set
  std::vector<double> change_;           // c_b, by set
  std::vector<double> coupling_;         // A_bq of one b
  std::vector<double> gains_;            // by set of others, for one number of hits
  std::vector<std::uint8_t> counts_;     // by set: how many labels it has
};

}  // namespace trellis
