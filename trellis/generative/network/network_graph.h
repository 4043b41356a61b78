// The graph of a Bayesian network: discrete variables, the parents of each, and where the
// distributions of each variable given its parents lie in one vector θ of log-probabilities.
//
// Variable v with d_v values has a row of θ for each assignment of its parents, in the order in
// which they are listed, the last one running fastest; the rows of variable 0 come first. So a
// value x_v given the values of the parents is parameter(v, x), and
//
//   log P(x) = Σ_v θ[parameter(v, x)]
//
// is linear in θ. Immutable; networks and what is compiled from them share it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/distributions.h"

namespace trellis {

struct NetworkVariable {
  std::string name;
  std::vector<std::string> values;
};

// By variable, the numbers of its parents.
using NetworkParents = std::vector<std::vector<Index>>;

class NetworkGraph {
 public:
  static constexpr Index kMaxParameters = Index{1} << 24;  // of all tables

  // Throws UsageError for names or values that are empty or there twice, variables without values,
  // parents that are unknown or there twice, a cycle (which it names), and tables of more than
  // kMaxParameters cells.
  NetworkGraph(std::vector<NetworkVariable> variables, NetworkParents parents);

  Index num_variables() const { return variables_.size(); }
  const NetworkVariable& variable(Index v) const { return variables_[v]; }
  const std::vector<NetworkVariable>& variables() const { return variables_; }
  Index num_values(Index v) const { return variables_[v].values.size(); }
  const std::vector<Index>& parents(Index v) const { return parents_[v]; }
  const NetworkParents& all_parents() const { return parents_; }
  std::span<const Index> order() const { return order_; }  // parents before children

  std::optional<Index> find(std::string_view name) const;
  std::optional<Label> find_value(Index v, std::string_view value) const;

  const Distributions& distributions() const { return distributions_; }
  Index first_distribution(Index v) const { return first_distribution_[v]; }
  Index num_rows(Index v) const { return first_distribution_[v + 1] - first_distribution_[v]; }
  Index first_parameter(Index v) const { return distributions_.begin(first_distribution_[v]); }

  // The place of x_v given the parents' values in x, which has no missing value among them.
  Index parameter(Index v, std::span<const Label> x) const {
    Index row = 0;
    for (const Index u : parents_[v]) row = row * num_values(u) + static_cast<Index>(x[u]);
    return first_parameter(v) + row * num_values(v) + static_cast<Index>(x[v]);
  }

 private:
  void require_variables();
  void require_parents() const;
  void sort_variables();
  void lay_out_tables();

  std::vector<NetworkVariable> variables_;
  NetworkParents parents_;
  std::unordered_map<std::string, Index> numbers_;
  std::vector<Index> order_;
  std::vector<Index> first_distribution_;  // by variable, and one more
  Distributions distributions_;
};

}  // namespace trellis
