#include "trellis/problem/cost_table.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {

CostTable CostTable::hamming(Index num_labels) {
  return weighted_hamming(std::vector<double>(num_labels, 1.0));
}

CostTable CostTable::weighted_hamming(std::span<const double> label_weights) {
  const Index n = label_weights.size();
  std::vector<double> table(n * n, 0.0);
  for (Index gold = 0; gold < n; ++gold) {
    for (Index label = 0; label < n; ++label) {
      if (label != gold) table[gold * n + label] = label_weights[gold];
    }
  }
  return CostTable(n, std::move(table));
}

CostTable::CostTable(Index num_labels, std::vector<double> table)
    : num_labels_(num_labels), table_(std::move(table)) {
  if (table_.size() != num_labels * num_labels) {
    throw UsageError(fmt::format("a cost table for {} labels needs {} entries, not {}", num_labels,
                                 num_labels * num_labels, table_.size()));
  }
  for (Index gold = 0; gold < num_labels; ++gold) {
    for (Index label = 0; label < num_labels; ++label) {
      const double cost = table_[gold * num_labels + label];
      if (!std::isfinite(cost) || cost < 0 || (gold == label && cost != 0)) {
        throw UsageError(fmt::format(
            "cost[{}][{}] is {}: costs must be finite, not negative, and 0 for the true label",
            gold, label, cost));
      }
    }
  }
}

}  // namespace trellis
