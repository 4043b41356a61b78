// The part model of a Bayesian network that predicts its hidden variables from the others (Yu,
// Bertsekas & Rousu, sec. 2): weights are the log-probabilities θ, an example is a row without
// missing values that says which of its variables are hidden, and
//
//   log P(h, x) − log P(h*, x) = θ·F_i (z(h) − z(h*)):
//
// families without hidden variables cancel, and are left out. From this HingeProblem makes the
// losses max_h a_k(h)'θ + b_k(h) of (P), and SmoothProblem the conditional likelihood.
//
// The cost of an output is Σ over the hidden variables of a table's entry [truth][predicted]; the
// default is Hamming.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/generative/network/network_data.h"
#include "trellis/generative/network/reduced_network.h"
#include "trellis/problem/cost_table.h"

namespace trellis {

struct NetworkModelOptions {
  // By variable of the network; empty: Hamming for all.
  std::vector<CostTable> costs;
  // Rows that have equal scores for every θ, and the same truth, become one example with the sum of
  // their weights. Examples are in the order of their first rows.
  bool merge_rows = false;
};

class NetworkModel {
 public:
  using Structure = JunctionTree;
  struct Workspace {};

  // Rows have no missing values; the graph must outlive the model. Throws UsageError if these do
  // not match, no variable is hidden, or a junction tree is too large.
  NetworkModel(const NetworkGraph& graph, const NetworkData& data, std::vector<Index> hidden,
               NetworkModelOptions options = {});  // the same in all rows
  NetworkModel(const NetworkGraph& graph, const NetworkData& data,
               const std::vector<std::vector<Index>>& hidden_of_row,
               NetworkModelOptions options = {});

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return graph_->distributions().dimension(); }
  double example_weight(Index i) const { return examples_[i].weight; }
  JunctionTree structure(Index i) const { return reduced(i).structure(); }
  // Outputs have the values of the hidden variables, whose numbers ascend.
  const JunctionTree::Output& gold(Index i) const { return examples_[i].gold; }
  std::span<const Index> hidden(Index i) const { return reduced(i).hidden(); }

  void scores(Index i, std::span<const double> theta, std::span<double> s) const {
    reduced(i).scores(places(i), theta, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    reduced(i).add_features(places(i), z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace&,
                SparseVector& slope) const {
    reduced(i).features(places(i), z, scale, slope);
  }

  // The cost of each value of the k-th hidden variable of example i.
  std::span<const double> costs(Index i, Index k) const {
    const Index variable = hidden(i)[k];
    return costs_[variable].row(examples_[i].gold[k]);
  }

 private:
  struct Example {
    const ReducedNetwork* reduced;
    Index first_place;
    double weight;
    JunctionTree::Output gold;
  };

  const ReducedNetwork& reduced(Index i) const { return *examples_[i].reduced; }
  std::span<const std::uint32_t> places(Index i) const {
    return std::span(places_).subspan(examples_[i].first_place, reduced(i).num_families());
  }
  template <class HiddenOf>
  void add_examples(const NetworkData& data, const HiddenOf& hidden_of, bool merge_rows);

  const NetworkGraph* graph_;
  std::vector<CostTable> costs_;  // by variable
  std::vector<std::unique_ptr<ReducedNetwork>> reduced_;
  std::vector<Example> examples_;
  std::vector<std::uint32_t> places_;
};

}  // namespace trellis
