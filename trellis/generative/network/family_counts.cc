#include "trellis/generative/network/family_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

FamilyCounts::FamilyCounts(const std::vector<NetworkVariable>& variables, const NetworkData& data) {
  const NetworkGraph graph(variables, NetworkParents(variables.size()));
  data.require_complete(
      graph, "the structure of a network can be learned only from rows without missing values");
  if (data.size() == 0) throw UsageError("there are no rows to learn from");
  const NetworkData rows = data.merged();
  for (Index v = 0; v < variables.size(); ++v) {
    num_values_.push_back(graph.num_values(v));
    if (num_values_.back() > std::numeric_limits<std::uint16_t>::max()) {
      throw UsageError(
          fmt::format("'{}' has {} values: too many to learn the structure of a network",
                      variables[v].name, num_values_.back()));
    }
    for (Index i = 0; i < rows.size(); ++i) {
      values_.push_back(static_cast<std::uint16_t>(rows.row(i)[v]));
    }
  }
  for (Index i = 0; i < rows.size(); ++i) weights_.push_back(rows.weight(i));
  total_ = rows.total_weight();
}

Index FamilyCounts::num_cells(Index child, std::span<const Index> parents, Index limit) const {
  Index cells = num_values_[child];
  for (const Index u : parents) {
    if (cells > limit / num_values_[u]) return limit + 1;
    cells *= num_values_[u];
  }
  return cells;
}

// Σ N log N of the table's cells, less that of its rows.
double FamilyCounts::log_likelihood(Index child, std::span<const Index> parents,
                                    Memory& memory) const {
  const Index width = num_values_[child], num_rows = weights_.size();
  Index rows = 1;
  for (const Index u : parents) rows *= num_values_[u];
  const std::uint16_t* own = column(child).data();
  memory.counts.assign(rows * width, 0.0);
  if (parents.empty()) {
    for (Index i = 0; i < num_rows; ++i) memory.counts[own[i]] += weights_[i];
  } else {
    memory.cells.assign(num_rows, 0);
    std::uint32_t* cells = memory.cells.data();
    for (const Index u : parents) {
      const auto values = static_cast<std::uint32_t>(num_values_[u]);
      const std::uint16_t* other = column(u).data();
      for (Index i = 0; i < num_rows; ++i) cells[i] = cells[i] * values + other[i];
    }
    for (Index i = 0; i < num_rows; ++i) memory.counts[cells[i] * width + own[i]] += weights_[i];
  }
  memory.totals.assign(rows, 0.0);
  for (Index row = 0; row < rows; ++row) {
    for (Index a = 0; a < width; ++a) memory.totals[row] += memory.counts[row * width + a];
  }
  return sum_x_log_x(memory.counts) - sum_x_log_x(memory.totals);
}

double FamilyCounts::bic(Index child, std::span<const Index> parents, Memory& memory) const {
  double rows = 1;
  for (const Index u : parents) rows *= static_cast<double>(num_values_[u]);
  const double free_parameters = static_cast<double>(num_values_[child] - 1) * rows;
  return log_likelihood(child, parents, memory) - 0.5 * portable_log(total_) * free_parameters;
}

}  // namespace trellis
