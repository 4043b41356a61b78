// A chain model with a table of transitions at each position: the same losses, seen through parts
// that are indicators, not counts. Structured SMO needs that (its points are marginals, and Z is
// described by sums of them); the weights stay those of the model. Euclidean steps take it for
// speed: close to Z, where they project from, Newton's method over flows makes few factorisations,
// while counts are mixed from many label sequences. (Far from Z it is the other way round.)
//
//   parts of position t:   z'_t,e = [transition e is taken into t],     z_e = Σ_t z'_t,e
//
// so F' z' = F (z), and s' repeats the tied scores at each t. Costs a table per position.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/problem/chain/chain_model.h"

namespace trellis {

class UntiedChainModel {
 public:
  using Structure = Chain;
  struct Workspace {
    std::vector<double> tied;
    ChainModel::Workspace features;
  };

  // The model must outlive this one.
  explicit UntiedChainModel(const ChainModel& model) : model_(&model) {}

  Index num_examples() const { return model_->num_examples(); }
  Index dimension() const { return model_->dimension(); }
  double example_weight(Index i) const { return model_->example_weight(i); }
  Chain structure(Index i) const {
    const Chain chain = model_->structure(i);
    return Chain(chain.states(), chain.length(), Transitions::kPositionDependent);
  }
  const std::vector<Label>& gold(Index i) const { return model_->gold(i); }

  void scores(Index i, std::span<const double> w, std::span<double> s) const;
  void add_costs(Index i, double scale, std::span<double> s) const {
    // Costs are on the nodes, which come first in both.
    model_->add_costs(i, scale, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;

 private:
  // z ← the counts of z'.
  void tie(const Chain& chain, std::span<const double> untied, std::vector<double>& tied) const;

  const ChainModel* model_;
};

}  // namespace trellis
