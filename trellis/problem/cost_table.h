// Costs that are linear in the parts: cost(y', y) = Σ_t table[y_t][y'_t].
//
// Hamming: 1 off the diagonal. Weighted Hamming: the weight of the true label off the diagonal, so
// that missing a rare label can cost more. Any table with a zero diagonal and no negative entry
// will do. (Martins et al. 2010 footnote 8: cost(z', z) = pᵀz' + q, here with p_t = table[y_t] and
// q = 0.)
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class CostTable {
 public:
  static CostTable hamming(Index num_labels);
  static CostTable weighted_hamming(std::span<const double> label_weights);  // weights ≥ 0
  // Row y holds the costs of the predictions; throws UsageError unless it is as said above.
  CostTable(Index num_labels, std::vector<double> table);

  Index num_labels() const { return num_labels_; }
  std::span<const double> row(Label gold) const {
    return {table_.data() + static_cast<Index>(gold) * num_labels_, num_labels_};
  }

 private:
  Index num_labels_;
  std::vector<double> table_;
};

}  // namespace trellis
