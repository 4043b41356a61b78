// Chains whose nodes are seen through a kernel, for the saddle-point learners (Lacoste-Julien 2009,
// sec. 2.5.1). The chain model M describes them as if position r of the data had one attribute of
// its own, number r, so that its node weights are coefficients α_rj, one for each position and
// label: F z is what it is there. Scores and inner products go by the Gram matrix K instead:
//
//   score of label j at position r    Σ_l K_rl α_lj  (kernel_group.h)
//   ⟨v, w⟩                            Σ_j β_jᵀ K α_j + what the other weights have
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/kernels/kernel_group.h"
#include "trellis/problem/part_model.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

template <PartModel M>  // of chains, tied or untied
class KernelChainModel {
 public:
  using Structure = typename M::Structure;
  struct Workspace {
    KernelGroup::Workspace kernel;
    typename M::Workspace features;
  };

  // All must outlive this one. The representers of the group are the positions of all examples of
  // `model`, and its coefficients the first weights; `chosen` are the examples to have, or empty:
  // all of them.
  KernelChainModel(const M& model, const KernelGroup& group, std::span<const Index> chosen = {})
      : model_(&model), group_(&group), chosen_(chosen) {
    for (Index i = 0; i < model.num_examples(); ++i) {
      first_.push_back(first_.back() + model.structure(i).length());
    }
  }

  Index num_examples() const { return chosen_.empty() ? model_->num_examples() : chosen_.size(); }
  Index dimension() const { return model_->dimension(); }
  double example_weight(Index i) const { return model_->example_weight(at(i)); }
  decltype(auto) structure(Index i) const { return model_->structure(at(i)); }
  decltype(auto) gold(Index i) const { return model_->gold(at(i)); }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    Workspace workspace;
    scores(i, w, workspace, s);
  }
  void scores(Index i, std::span<const double> w, Workspace& workspace, std::span<double> s) const {
    model_->scores(at(i), w, s);
    const Index begin = first_[at(i)];
    const Index length = first_[at(i) + 1] - begin;
    const std::span<double> nodes = s.first(length * group_->targets());
    std::fill(nodes.begin(), nodes.end(), 0.0);
    group_->add_scores(begin, length, coefficients(w), 1, workspace.kernel, nodes);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    model_->add_costs(at(i), scale, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    model_->add_features(at(i), z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    model_->features(at(i), z, scale, workspace.features, slope);
  }
  double inner_product(std::span<const double> v, std::span<const double> w) const {
    const Index others = group_->num_coefficients();
    return group_->inner_product(coefficients(v), coefficients(w)) +
           dot(v.subspan(others), w.subspan(others));
  }

 private:
  Index at(Index i) const { return chosen_.empty() ? i : chosen_[i]; }
  std::span<const double> coefficients(std::span<const double> w) const {
    return w.first(group_->num_coefficients());
  }

  const M* model_;
  const KernelGroup* group_;
  std::span<const Index> chosen_;
  std::vector<Index> first_ = {0};  // position of each example
};

}  // namespace trellis
