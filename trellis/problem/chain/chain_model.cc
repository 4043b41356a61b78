#include "trellis/problem/chain/chain_model.h"

#include <algorithm>
#include <limits>

namespace trellis {
namespace {

// A prediction costs as much as it does for the possible truth that it is nearest to: nothing where
// it may be right.
double cost_of_set(const CostTable& costs, std::span<const std::uint8_t> possible,
                   Index prediction) {
  double least = std::numeric_limits<double>::infinity();
  for (Index gold = 0; gold < possible.size(); ++gold) {
    if (possible[gold] != 0)
      least = std::min(least, costs.row(static_cast<Label>(gold))[prediction]);
  }
  return least;
}

}  // namespace

Chain ChainModel::truth_structure(Index i) const {
  const std::vector<Label>& labels = examples_->labels(i);
  return features_->chain(labels.size(), examples_->truth(i));
}

void ChainModel::add_costs(Index i, double scale, std::span<double> s) const {
  const std::vector<Label>& labels = examples_->labels(i);
  const std::span<const std::uint8_t> truth = examples_->truth(i);
  const Index num_labels = costs_->num_labels();
  for (Index t = 0; t < labels.size(); ++t) {
    double* node = s.data() + t * num_labels;
    if (labels[t] != kNoLabel) {
      const std::span<const double> row = costs_->row(labels[t]);
      for (Index j = 0; j < num_labels; ++j) node[j] += scale * row[j];
    } else {
      const auto possible = truth.subspan(t * num_labels, num_labels);
      for (Index j = 0; j < num_labels; ++j) node[j] += scale * cost_of_set(*costs_, possible, j);
    }
  }
}

}  // namespace trellis
