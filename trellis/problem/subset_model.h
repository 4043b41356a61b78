// A part model of some of another's examples, in a given order: for folds of a cross-validation,
// which share what all examples have in common (features, tables, costs). Without a choice, of all
// of them.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/part_model.h"

namespace trellis {

template <PartScorer M>
class SubsetModel {
 public:
  using Structure = typename M::Structure;
  using Workspace = typename M::Workspace;
  using Output = typename Structure::Output;

  // Both must outlive this one. `chosen` empty: all examples.
  explicit SubsetModel(const M& model, std::span<const Index> chosen = {})
      : model_(&model), chosen_(chosen) {}

  const M& whole() const { return *model_; }
  std::span<const Index> chosen() const { return chosen_; }

  Index num_examples() const { return chosen_.empty() ? model_->num_examples() : chosen_.size(); }
  Index dimension() const { return model_->dimension(); }
  double example_weight(Index i) const { return model_->example_weight(at(i)); }
  decltype(auto) structure(Index i) const { return model_->structure(at(i)); }
  const Output& gold(Index i) const { return model_->gold(at(i)); }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    model_->scores(at(i), w, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    model_->add_features(at(i), z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    model_->features(at(i), z, scale, workspace, slope);
  }

  std::span<const double> offsets(Index i) const requires OffsetScorer<M> {
    return model_->offsets(at(i));
  }
  void linear_scores(Index i, std::span<const double> w,
                     std::span<double> s) const requires OffsetScorer<M> {
    model_->linear_scores(at(i), w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const requires PartModel<M> {
    model_->add_costs(at(i), scale, s);
  }
  double maximize_augmented(Index i, double gamma, std::span<const double> s,
                            typename Structure::Scratch& scratch, Workspace& workspace,
                            Output& y) const requires CostMaximizer<M> {
    return model_->maximize_augmented(at(i), gamma, s, scratch, workspace, y);
  }
  double search_augmented(Index i, double gamma, std::span<const double> s,
                          typename Structure::Scratch& scratch, Workspace& workspace,
                          Output& y) const requires CostSearcher<M> {
    return model_->search_augmented(at(i), gamma, s, scratch, workspace, y);
  }
  MaximumBounds bound_augmented(Index i, double gamma, std::span<const double> s,
                                typename Structure::Scratch& scratch, Workspace& workspace,
                                Output& y) const requires CostSearcher<M> {
    return model_->bound_augmented(at(i), gamma, s, scratch, workspace, y);
  }
  std::span<const WeightRange> nonnegative() const requires requires(const M& m) {
    m.nonnegative();
  }
  { return model_->nonnegative(); }
  RescaledMaximum maximize_rescaled(Index i, double gamma, std::span<const double> s,
                                    typename Structure::Scratch& scratch, Workspace& workspace,
                                    Output& y) const requires RescaledMaximizer<M> {
    return model_->maximize_rescaled(at(i), gamma, s, scratch, workspace, y);
  }
  decltype(auto) truth_structure(Index i) const requires requires(const M& m) {
    m.truth_structure(i);
  }
  { return model_->truth_structure(at(i)); }

 private:
  Index at(Index i) const { return chosen_.empty() ? i : chosen_[i]; }

  const M* model_;
  std::span<const Index> chosen_;
};

}  // namespace trellis
