// Scores of families (a variable and its parents) by counting rows: the inner loop of learning the
// graph of a network. Values lie by variable, a byte or two each, and equal rows are one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/network_data.h"

namespace trellis {

class FamilyCounts {
 public:
  // Use one per thread.
  struct Memory {
    std::vector<std::uint32_t> cells;  // by row: of the parents, then of the family
    std::vector<double> counts;
    std::vector<double> totals;
  };

  // Throws UsageError where values are missing, or do not fit the variables.
  FamilyCounts(const std::vector<NetworkVariable>& variables, const NetworkData& data);

  Index num_variables() const { return num_values_.size(); }
  Index num_values(Index v) const { return num_values_[v]; }
  double total() const { return total_; }  // Σ weights

  // Cells of the family's table; at most `limit` + 1.
  Index num_cells(Index child, std::span<const Index> parents, Index limit) const;
  // max_θ Σ_rows weight · log P(child | parents). The table must fit into memory.
  double log_likelihood(Index child, std::span<const Index> parents, Memory& memory) const;
  // The same minus the penalty (log N / 2)(d − 1) rows.
  double bic(Index child, std::span<const Index> parents, Memory& memory) const;

 private:
  std::span<const std::uint16_t> column(Index v) const {
    return std::span(values_).subspan(v * weights_.size(), weights_.size());
  }

  std::vector<Index> num_values_;
  std::vector<std::uint16_t> values_;  // by variable, by row
  std::vector<double> weights_;
  double total_ = 0;
};

}  // namespace trellis
