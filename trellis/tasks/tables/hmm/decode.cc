#include "trellis/tasks/tables/hmm/decode.h"

#include <algorithm>

namespace trellis::hmm {

double decode(const HmmInference& inference, const HmmSequence& x, Decode how, HmmScratch& scratch,
              std::vector<Label>& states) {
  const HmmSequence hidden{x.observations, {}};
  return how == Decode::kMap ? inference.viterbi(hidden, scratch, states)
                             : inference.posterior_states(hidden, scratch, states);
}

double loss_of(const CostTable& costs, std::span<const Label> truth, std::span<const Label> found) {
  double worst = 0;
  for (Index i = 0; i < costs.num_labels(); ++i) {
    const std::span<const double> row = costs.row(static_cast<Label>(i));
    worst = std::max(worst, *std::max_element(row.begin(), row.end()));
  }
  double sum = 0;
  for (Index t = 0; t < truth.size(); ++t) {
    if (truth[t] == kNoLabel) continue;
    sum += truth[t] < 0 ? worst : costs.row(truth[t])[static_cast<Index>(found[t])];
  }
  return sum;
}

}  // namespace trellis::hmm
