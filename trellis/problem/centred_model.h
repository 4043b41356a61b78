// A part model whose weights are held to given ones, w₀, instead of to 0:
//
//   min_w  λ/2 ‖w − w₀‖² + (1/n) Σ_i L_i(w)
//
// With v = w − w₀ the scores of parts are s = F(x_i)ᵀ v + o_i, o_i = F(x_i)ᵀ w₀, and the penalty is
// λ/2 ‖v‖²: the problem of every learner, which sees v and nothing of w₀. The offsets o_i are like
// costs, part of what an output scores whatever v is: a cut of L_i has its slope in v and all else
// in its offset (hinge_problem.h, smooth_problem.h), and the learners that move points of the
// polytopes get γ p_i + o_i for costs (part_problem.h). L_i stays ≥ 0, since the true output
// violates by 0 whatever the offsets are.
//
// What else holds weights holds v: an L1 penalty is λ₁ ‖w − w₀‖₁, a ball is one around w₀, and what
// has no penalty at all (the perceptron) starts from w₀.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/part_model.h"

namespace trellis {

template <PartScorer M>
class CentredModel {
 public:
  using Structure = typename M::Structure;
  using Workspace = typename M::Workspace;
  using Output = typename Structure::Output;
  static_assert(
      !requires { typename M::Untied; }, "centre the twin whose parts are indicators");

  // The model must outlive this one. `centre` empty: weights are held to 0, and nothing is added.
  // The offsets of all parts are kept, as costs are. Throws UsageError where weights that must stay
  // ≥ 0 are held to others than 0: v would have other bounds than the learners know of.
  explicit CentredModel(const M& model, std::span<const double> centre = {}) : model_(&model) {
    if (centre.empty()) return;
    if (centre.size() != model.dimension()) {
      throw UsageError("the centre of the regularisation belongs to other features");
    }
    for (const WeightRange& range : nonnegative_weights(model)) {
      const auto ranged = centre.subspan(range.begin, range.end - range.begin);
      if (std::any_of(ranged.begin(), ranged.end(), [](double weight) { return weight != 0; })) {
        throw UsageError("non-negative weights can only be regularised towards 0");
      }
    }
    begin_ = {0};
    for (Index i = 0; i < model.num_examples(); ++i) {
      begin_.push_back(begin_.back() + model.structure(i).num_parts());
    }
    offsets_.resize(begin_.back());
    for (Index i = 0; i < model.num_examples(); ++i) {
      model.scores(i, centre, std::span(offsets_).subspan(begin_[i], begin_[i + 1] - begin_[i]));
    }
  }

  Index num_examples() const { return model_->num_examples(); }
  Index dimension() const { return model_->dimension(); }
  double example_weight(Index i) const { return model_->example_weight(i); }
  decltype(auto) structure(Index i) const { return model_->structure(i); }
  const Output& gold(Index i) const { return model_->gold(i); }

  // o_i, or nothing where weights are held to 0.
  std::span<const double> offsets(Index i) const {
    if (begin_.empty()) return {};
    return std::span(offsets_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  void linear_scores(Index i, std::span<const double> v, std::span<double> s) const {
    model_->scores(i, v, s);
  }
  void scores(Index i, std::span<const double> v, std::span<double> s) const {
    model_->scores(i, v, s);
    const std::span<const double> offset = offsets(i);
    for (Index p = 0; p < offset.size(); ++p) s[p] += offset[p];
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    model_->add_features(i, z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    model_->features(i, z, scale, workspace, slope);
  }

  void add_costs(Index i, double scale, std::span<double> s) const requires PartModel<M> {
    model_->add_costs(i, scale, s);
  }
  double maximize_augmented(Index i, double gamma, std::span<const double> s,
                            typename Structure::Scratch& scratch, Workspace& workspace,
                            Output& y) const requires CostMaximizer<M> {
    return model_->maximize_augmented(i, gamma, s, scratch, workspace, y);
  }
  double search_augmented(Index i, double gamma, std::span<const double> s,
                          typename Structure::Scratch& scratch, Workspace& workspace,
                          Output& y) const requires CostSearcher<M> {
    return model_->search_augmented(i, gamma, s, scratch, workspace, y);
  }
  MaximumBounds bound_augmented(Index i, double gamma, std::span<const double> s,
                                typename Structure::Scratch& scratch, Workspace& workspace,
                                Output& y) const requires CostSearcher<M> {
    return model_->bound_augmented(i, gamma, s, scratch, workspace, y);
  }
  std::span<const WeightRange> nonnegative() const requires requires(const M& m) {
    m.nonnegative();
  }
  { return model_->nonnegative(); }
  RescaledMaximum maximize_rescaled(Index i, double gamma, std::span<const double> s,
                                    typename Structure::Scratch& scratch, Workspace& workspace,
                                    Output& y) const requires RescaledMaximizer<M> {
    return model_->maximize_rescaled(i, gamma, s, scratch, workspace, y);
  }

 private:
  const M* model_;
  std::vector<Index> begin_;  // of each example's offsets, and the end
  std::vector<double> offsets_;
};

}  // namespace trellis
