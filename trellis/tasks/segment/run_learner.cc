#include "trellis/tasks/segment/run_learner.h"

#include <fmt/format.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/part_problem.h"

namespace trellis::segment {
namespace {

Index epochs_or(const TrainOptions& options, Index standard) {
  return options.epochs > 0 ? options.epochs : standard;
}

// Slopes have some thousand entries, and a cut takes longer than all steps on cached ones.
LearnSummary run_bcfw(const TrainOptions& options, const NetworkModel& model, Index max_epochs,
                      std::span<double> w, const LearnControl& control) {
  BcfwOptions bcfw_options;
  bcfw_options.lambda = lambda_from_c(options.c, model.num_examples());
  bcfw_options.max_epochs = max_epochs;
  bcfw_options.average = options.average ? BcfwAverage::kWeighted : BcfwAverage::kNone;
  bcfw_options.cache_size = 20;
  return bcfw(HingeProblem<NetworkModel>(model), bcfw_options, w, control);
}

// For dual extragradient from where some epochs of BCFW end, where that is asked for: the bound on
// its gap grows with the distance that the weights have to go, and cuts are much cheaper than
// projections. Leaves no checkpoint: an interrupted run begins with this again. False if it was
// interrupted.
bool warm_up(const TrainOptions& options, const NetworkModel& model, std::span<double> w,
             const LearnControl& control) {
  const bool resumed = control.checkpoint != nullptr && control.checkpoint->has("trace/identity");
  if (resumed || options.warm_up == 0) return true;
  LearnControl quiet;
  quiet.threads = control.threads;
  quiet.seed = control.seed;
  quiet.stop = control.stop;
  return run_bcfw(options, model, options.warm_up, w, quiet).termination !=
         Termination::kInterrupted;
}

// A norm ball takes the place of the penalty where a radius is given.
LearnSummary run_extragradient(const TrainOptions& options, const NetworkModel& model,
                               std::span<double> w, const LearnControl& control) {
  if (!warm_up(options, model, w, control)) {
    LearnSummary interrupted;
    interrupted.termination = Termination::kInterrupted;
    return interrupted;
  }
  ExtragradientOptions extragradient_options;
  if (options.radius > 0) {
    extragradient_options.lambda = 0;
    extragradient_options.ball = WeightBall::kEuclidean;
    extragradient_options.radius = options.radius;
  } else {
    extragradient_options.lambda = lambda_from_c(options.c, model.num_examples());
  }
  extragradient_options.max_iterations = epochs_or(options, 500);
  // The proven step is far too short here, and would take fifty iterations to grow; one that is too
  // long is cut at once.
  extragradient_options.step_scale = 10;
  return extragradient(EuclideanPartProblem<NetworkModel>(model), extragradient_options, w,
                       control);
}

LearnSummary run_bmrm(const TrainOptions& options, const NetworkModel& model, std::span<double> w,
                      const LearnControl& control) {
  BmrmOptions bmrm_options;
  bmrm_options.lambda = lambda_from_c(options.c, model.num_examples());
  bmrm_options.max_iterations = epochs_or(options, 1000);
  return bmrm(HingeProblem<NetworkModel>(model), bmrm_options, w, control);
}

LearnSummary run_perceptron(const TrainOptions& options, const NetworkModel& model,
                            std::span<double> w, const LearnControl& control) {
  PerceptronOptions perceptron_options;
  perceptron_options.max_epochs = epochs_or(options, 100);
  perceptron_options.average = options.average;
  return perceptron(HingeProblem<NetworkModel>(model, 0), perceptron_options, w, control);
}

LearnSummary run_sgd(const TrainOptions& options, const NetworkModel& model, std::span<double> w,
                     const LearnControl& control,
                     const std::function<double(std::span<const double>)>& held_out) {
  SgdOptions sgd_options;
  sgd_options.lambda = lambda_from_c(options.c, model.num_examples());
  sgd_options.max_epochs = epochs_or(options, 100);
  sgd_options.average = options.average;
  sgd_options.eta = options.eta;
  sgd_options.held_out = held_out;
  return sgd(HingeProblem<NetworkModel>(model), sgd_options, w, control);
}

}  // namespace

void require_cell(const TrainOptions& options) {
  if (!(options.c > 0)) throw UsageError(fmt::format("C must be positive, not {}", options.c));
  if (!(options.gap >= 0)) {
    throw UsageError(
        fmt::format("the gap to stop at must not be negative, but is {}", options.gap));
  }
  if (!(options.radius >= 0) || std::isinf(options.radius)) {
    throw UsageError(fmt::format("the radius must be a number from 0 on, not {}", options.radius));
  }
  if (options.radius > 0 && options.learner != Learner::kExtragradient) {
    throw UsageError(fmt::format(
        "only extragradient keeps the weights in a ball, not {}: choose it, or --c instead of "
        "--radius",
        to_string(options.learner)));
  }
}

LearnSummary run_learner(const TrainOptions& options, const NetworkModel& model,
                         std::span<double> w, const LearnControl& control,
                         const std::function<double(std::span<const double>)>& held_out) {
  switch (options.learner) {
    case Learner::kExtragradient:
      return run_extragradient(options, model, w, control);
    case Learner::kBcfw:
      return run_bcfw(options, model, epochs_or(options, 200), w, control);
    case Learner::kBmrm:
      return run_bmrm(options, model, w, control);
    case Learner::kPerceptron:
      return run_perceptron(options, model, w, control);
    case Learner::kSgd:
      return run_sgd(options, model, w, control, held_out);
  }
  return {};
}

}  // namespace trellis::segment
