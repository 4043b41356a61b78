#include "trellis/tasks/tag/run_part_learner.h"

#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/dual/structured_smo.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/learn/saddle_point/projected_gradient.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/problem/part_problem.h"

namespace trellis::tag {
namespace {

// λ of C, or a ball of the radius that was given instead.
void hold_weights(const TrainOptions& options, Index num_examples, WeightBallOptions& ball) {
  if (options.radius > 0) {
    ball.ball = options.l1_ball ? WeightBall::kL1 : WeightBall::kEuclidean;
    ball.radius = options.radius;
  } else {
    ball.lambda = lambda_from_c(options.c, num_examples);
  }
}

ExtragradientOptions extragradient_options(const TrainOptions& options, Index num_examples) {
  ExtragradientOptions chosen;
  hold_weights(options, num_examples, chosen);
  chosen.max_iterations = options.epochs > 0 ? options.epochs : 200;
  return chosen;
}

}  // namespace

LearnSummary run_part_learner(const TrainOptions& options, const Loss& loss,
                              const ChainModel& model, std::span<double> w,
                              const LearnControl& control) {
  const Index n = model.num_examples();
  if (options.learner == Learner::kExtragradient && options.geometry == Geometry::kEntropic) {
    // Sums are at home in counts, too: no table for each position.
    const EntropicPartProblem<ChainModel> problem(model, loss.gamma);
    return extragradient(problem, extragradient_options(options, n), w, control);
  }
  const UntiedChainModel untied(model);
  const EuclideanPartProblem<UntiedChainModel> problem(untied, loss.gamma);
  switch (options.learner) {
    case Learner::kExtragradient:
      return extragradient(problem, extragradient_options(options, n), w, control);
    case Learner::kProjectedGradient: {
      ProjectedGradientOptions chosen;
      hold_weights(options, n, chosen);
      chosen.max_iterations = options.epochs > 0 ? options.epochs : 200;
      return projected_gradient(problem, chosen, w, control);
    }
    case Learner::kSmo: {
      StructuredSmoOptions chosen;
      chosen.lambda = lambda_from_c(options.c, n);
      chosen.max_epochs = options.epochs > 0 ? options.epochs : chosen.max_epochs;
      return structured_smo(problem, chosen, w, control);
    }
    default: {
      WeightPenalty penalty;
      if (options.radius > 0) {
        penalty.radius = options.radius;
      } else {
        penalty.lambda = lambda_from_c(options.c, n);
      }
      return reference_qp(problem, penalty, w, {}, control);
    }
  }
}

}  // namespace trellis::tag
