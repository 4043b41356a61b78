// Learning from partially labelled examples: where the truth is only known to lie in a set Y_i
// (some positions unlabelled, or limited to a few labels), the truth's score is summed over as
// well:
//
//   L_i(w) = (1/β) log Σ_y exp β(s·z(y) + γ cost(y, Y_i)) − (1/β) log Σ_{y ∈ Y_i} exp β s·z(y)
//   ∇L_i(w) = F_i (μ − μ_i),   μ_i = the marginals within Y_i
//
// (Quattoni et al. 2007; Tsuboi et al. 2008.) Smooth, but a difference of convex functions: there
// are no cuts and no certificates, and the type says so. Costs are p_i·z(y) here, with 0 for all of
// Y_i: then no loss is below 0, and with a single y in Y_i it is SmoothProblem's.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/loss.h"
#include "trellis/problem/model_losses.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"

namespace trellis {

// A part model that also knows Y_i, as a structure over the same parts. p_i·z(y) ≥ 0, and 0 in Y_i.
template <class M>
concept PartialModel = PartModel<M> && Summer<typename M::Structure> &&
    requires(const M& model, Index i) {
  { model.truth_structure(i) } -> std::convertible_to<typename M::Structure>;
};

template <PartialModel M>
class PartialProblem final : public ModelLosses<M, SmoothOracle> {
 public:
  // The model and the chosen examples must outlive the problem; β must be finite.
  explicit PartialProblem(const M& model, double beta = 1, double gamma = 0,
                          ChosenExamples chosen = {})
      : Losses(model, chosen), beta_(beta), gamma_(gamma) {
    require_smooth({beta, gamma});
  }

 private:
  using Losses = ModelLosses<M, SmoothOracle>;
  using Losses::model_;

  // Its parts are μ − μ_i.
  typename Losses::Piece piece(Index i, std::span<const double> w,
                               ProblemScratch<M>& memory) const override {
    const Index k = this->chosen_[i];
    const auto structure = model_->structure(k);
    const Index num_parts = structure.num_parts();
    memory.resize(num_parts);
    const std::span<double> s = std::span(memory.scores).first(num_parts);
    const std::span<double> marginals = std::span(memory.parts).first(num_parts);
    const std::span<double> truth = std::span(memory.truth).first(num_parts);
    model_->scores(k, w, s);
    for (double& score : s) score *= beta_;
    const double log_truth = model_->truth_structure(k).log_partition(s, memory.structure, truth);
    if (gamma_ > 0) model_->add_costs(k, beta_ * gamma_, s);
    const double log_sum = structure.log_partition(s, memory.structure, marginals);
    subtract(marginals, truth);
    const double weight = model_->example_weight(k);
    return {weight * std::max(0.0, (log_sum - log_truth) / beta_), marginals, weight};
  }

  double beta_;
  double gamma_;
};

}  // namespace trellis
