// The losses that an estimator minimises, for any part model: members of the loss family with β = 1
// (conditional likelihood, with a margin if γ > 0) or β = ∞ (the hinge), or the hinge with slacks
// rescaled by the costs.
#pragma once

#include <memory>
#include <utility>

#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/slack_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/tasks/tables/discriminative_training.h"

namespace trellis::generative {

// `Examples` owns a part model, examples.model(), and everything that it refers to; it never moves.
template <class Examples, class Problem>
class ProblemLosses final : public ExampleLosses {
 public:
  template <class... Settings>
  explicit ProblemLosses(std::unique_ptr<Examples> examples, Settings... settings)
      : examples_(std::move(examples)), problem_(examples_->model(), settings...) {}
  const ConvexOracle& oracle() const override { return problem_; }

 private:
  std::unique_ptr<Examples> examples_;
  Problem problem_;
};

template <class Examples>
std::unique_ptr<ExampleLosses> losses_of(std::unique_ptr<Examples> examples,
                                         const EstimatorOptions& options, double gamma) {
  using Model = typename Examples::Model;
  if (options.estimator == Estimator::kConditional) {
    return std::make_unique<ProblemLosses<Examples, SmoothProblem<Model>>>(std::move(examples), 1.0,
                                                                           gamma);
  }
  if (options.penalty_or_default() == SlackPenalty::kRescaled) {
    return std::make_unique<ProblemLosses<Examples, SlackProblem<Model>>>(std::move(examples));
  }
  return std::make_unique<ProblemLosses<Examples, HingeProblem<Model>>>(std::move(examples), gamma);
}

}  // namespace trellis::generative
