// Rows of values of the variables of a network, kNoLabel where a value is missing, each with a
// weight: how often it was seen.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/network_graph.h"

namespace trellis {

class NetworkData {
 public:
  explicit NetworkData(Index num_variables) : num_variables_(num_variables) {}

  void add(std::span<const Label> row, double weight = 1);

  Index num_variables() const { return num_variables_; }
  Index size() const { return weights_.size(); }
  std::span<const Label> row(Index i) const {
    return std::span(values_).subspan(i * num_variables_, num_variables_);
  }
  double weight(Index i) const { return weights_[i]; }
  double total_weight() const;

  // Each row once, with the sum of the weights of those that equal it, in the order in which they
  // are first met.
  NetworkData merged() const;

  // Throws UsageError for values that the variables do not have, and weights that are not > 0.
  void require_fit(const NetworkGraph& graph) const;
  // Refuses missing values, too: `what` names the caller that cannot use them.
  void require_complete(const NetworkGraph& graph, std::string_view what) const;

 private:
  Index num_variables_;
  std::vector<Label> values_;
  std::vector<double> weights_;
};

}  // namespace trellis
