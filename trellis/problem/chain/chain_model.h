// The part model of a tagger: chains whose parts are scored by ChainFeatures, over ChainExamples,
// with a cost that is linear in the labels. PartModel says what each member means.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/chain/chain_examples.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/problem/cost_table.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {

class UntiedChainModel;

class ChainModel {
 public:
  using Structure = Chain;
  using Untied = UntiedChainModel;  // see TiedModel in fit/fit.h: include untied_chain_model.h
  using Workspace = ChainFeatures::Workspace;

  // All three must outlive the model; the examples must be legal chains.
  ChainModel(const ChainFeatures& features, const ChainExamples& examples, const CostTable& costs)
      : features_(&features), examples_(&examples), costs_(&costs) {}

  Index num_examples() const { return examples_->num_examples(); }
  Index dimension() const { return features_->dimension(); }
  double example_weight(Index i) const { return examples_->weight(i); }
  Chain structure(Index i) const { return features_->chain(examples_->labels(i).size()); }
  // The labellings that agree with what is known of example i.
  Chain truth_structure(Index i) const;
  const std::vector<Label>& gold(Index i) const { return examples_->labels(i); }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    features_->scores(examples_->attributes(i), w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    features_->add_features(examples_->attributes(i), z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    features_->features(examples_->attributes(i), z, scale, workspace, slope);
  }

 private:
  const ChainFeatures* features_;
  const ChainExamples* examples_;
  const CostTable* costs_;
};

}  // namespace trellis
