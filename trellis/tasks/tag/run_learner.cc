#include "trellis/tasks/tag/run_learner.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/partial_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/tasks/tag/run_part_learner.h"

namespace trellis::tag {
namespace {

Index epochs_or(const TrainOptions& options, Index otherwise) {
  return options.epochs > 0 ? options.epochs : otherwise;
}

template <class SmoothProblemType>
LearnSummary run_lbfgs(const TrainOptions& options, const SmoothProblemType& problem,
                       std::span<double> w, const LearnControl& control) {
  LbfgsOptions lbfgs_options;
  lbfgs_options.lambda = lambda_from_c(options.c, problem.num_examples());
  lbfgs_options.rho = options.l1 / static_cast<double>(problem.num_examples());
  lbfgs_options.max_iterations = epochs_or(options, lbfgs_options.max_iterations);
  lbfgs_options.epsilon = options.epsilon;
  lbfgs_options.delta = options.delta;
  return lbfgs(problem, lbfgs_options, w, control);
}

// L-BFGS starts well from where a few epochs of an online learner end (Agarwal et al. 2014,
// sec. 2.3): they are cheap, and spare it the first third of its passes. Not for L1, whose zeros
// are where it starts. Leaves no checkpoint: an interrupted run begins with this again. False if it
// was interrupted.
bool warm_up(const TrainOptions& options, const ConvexOracle& problem, std::span<double> w,
             const LearnControl& control) {
  const bool resumed = control.checkpoint != nullptr && control.checkpoint->has("trace/identity");
  if (resumed || options.warm_up == 0 || options.l1 > 0 || !options.warm_start.empty()) return true;
  DcaOptions dca_options;
  dca_options.lambda = lambda_from_c(options.c, problem.num_examples());
  dca_options.max_epochs = options.warm_up;
  LearnControl quiet;
  quiet.seed = control.seed;
  quiet.stop = control.stop;
  return dca(problem, dca_options, w, quiet).termination != Termination::kInterrupted;
}

LearnSummary run_warm_lbfgs(const TrainOptions& options, const SmoothProblem<ChainModel>& problem,
                            std::span<double> w, const LearnControl& control) {
  if (warm_up(options, problem, w, control)) return run_lbfgs(options, problem, w, control);
  LearnSummary interrupted;
  interrupted.termination = Termination::kInterrupted;
  return interrupted;
}

LearnSummary run_dca(const TrainOptions& options, const ConvexOracle& problem, std::span<double> w,
                     const LearnControl& control) {
  DcaOptions dca_options;
  dca_options.lambda = lambda_from_c(options.c, problem.num_examples());
  dca_options.max_epochs = epochs_or(options, options.stored_dual ? 200 : 20);
  dca_options.dual = options.stored_dual ? DcaDual::kStored : DcaDual::kOnline;
  dca_options.average = options.average;
  return dca(problem, dca_options, w, control);
}

LearnSummary run_bcfw(const TrainOptions& options, const ConvexOracle& problem, std::span<double> w,
                      const LearnControl& control) {
  BcfwOptions bcfw_options;
  bcfw_options.lambda = lambda_from_c(options.c, problem.num_examples());
  bcfw_options.max_epochs = epochs_or(options, 100);
  bcfw_options.cache_size = options.cache;
  // With cached cuts the last weights are ahead of their mean.
  bcfw_options.average =
      options.average && options.cache == 0 ? BcfwAverage::kWeighted : BcfwAverage::kNone;
  if (!options.certify) bcfw_options.gap_every = 10;  // the visits say when it is worth a pass
  return bcfw(problem, bcfw_options, w, control);
}

LearnSummary run_bmrm(const TrainOptions& options, const ConvexOracle& problem, std::span<double> w,
                      const LearnControl& control) {
  BmrmOptions bmrm_options;
  bmrm_options.lambda = lambda_from_c(options.c, problem.num_examples());
  bmrm_options.max_iterations = epochs_or(options, bmrm_options.max_iterations);
  return bmrm(problem, bmrm_options, w, control);
}

template <class Problem>
SgdSummary run_sgd(const TrainOptions& options, const Problem& problem, std::span<double> w,
                   const LearnControl& control,
                   const std::function<double(std::span<const double>)>& held_out) {
  SgdOptions sgd_options;
  sgd_options.lambda = lambda_from_c(options.c, problem.num_examples());
  sgd_options.max_epochs = epochs_or(options, 50);
  sgd_options.eta = options.eta;
  sgd_options.held_out = held_out;
  return sgd(problem, sgd_options, w, control);
}

LearnerRun run_partial(const TrainOptions& options, const Loss& loss, const ChainModel& model,
                       std::span<double> w, const LearnControl& control,
                       const std::function<double(std::span<const double>)>& held_out) {
  const PartialProblem problem(model, loss.beta, loss.gamma);
  LearnerRun run;
  if (options.learner == Learner::kLbfgs) {
    run.summary = run_lbfgs(options, problem, w, control);
  } else {
    const SgdSummary summary = run_sgd(options, problem, w, control, held_out);
    run.eta = summary.eta;
    run.summary = summary;
  }
  return run;
}

}  // namespace

void require_cell(const TrainOptions& options, const Loss& loss) {
  loss.validate();
  const std::string_view name = to_string(options.learner);
  const bool needs_smooth = options.learner == Learner::kLbfgs;
  const bool needs_hinge = options.learner == Learner::kPerceptron ||
                           options.learner == Learner::kMira || sees_parts(options.learner);
  if (needs_smooth && loss.hinge()) {
    throw UsageError(
        "lbfgs needs a gradient, which the hinge (beta = inf) does not have: choose a finite beta, "
        "or dca, mira, sgd or perceptron");
  }
  if (needs_hinge && !loss.hinge()) {
    throw UsageError(
        fmt::format("{} is about best outputs, so it needs the hinge (beta = inf: svm or "
                    "perceptron): for beta = {} choose dca, lbfgs, sgd, bcfw or bmrm",
                    name, loss.beta));
  }
  const bool needs_loss =
      options.learner != Learner::kPerceptron && options.learner != Learner::kSgd;
  if (needs_loss && loss.hinge() && loss.gamma == 0 && options.warm_start.empty()) {
    throw UsageError(
        fmt::format("without a margin (gamma = 0) the hinge of weights that are 0 is 0, and {} "
                    "takes no step: choose the learner perceptron, or a gamma above 0",
                    name));
  }
  if (options.l1 > 0 && options.learner != Learner::kLbfgs) {
    throw UsageError(
        fmt::format("only lbfgs (as OWL-QN) minimises with an L1 penalty, not {}", name));
  }
  if (options.voters > 0 && options.learner != Learner::kPerceptron) {
    throw UsageError(fmt::format("only the perceptron has voters, not {}", name));
  }
  if (options.stored_dual && options.learner != Learner::kDca) {
    throw UsageError(fmt::format("only dca has a dual to store, not {}", name));
  }
  if (!(options.radius >= 0) || std::isinf(options.radius)) {
    throw UsageError(fmt::format("the radius must not be negative, but is {}", options.radius));
  }
  if (options.radius > 0 && options.learner != Learner::kExtragradient &&
      options.learner != Learner::kProjectedGradient && options.learner != Learner::kQp) {
    throw UsageError(fmt::format(
        "{} holds the weights by C: a radius is for extragradient, projected-gradient and qp",
        name));
  }
  if (options.l1_ball && (options.learner != Learner::kExtragradient || options.radius == 0)) {
    throw UsageError("the ball of the 1-norm is for extragradient with a radius");
  }
  if (!(options.gap >= 0)) {
    throw UsageError(
        fmt::format("the gap to stop at must not be negative, but is {}", options.gap));
  }
  if (options.data.partial) {
    if (options.learner != Learner::kLbfgs && options.learner != Learner::kSgd) {
      throw UsageError(fmt::format(
          "unknown labels make the loss non-convex, and {} needs convexity: choose lbfgs or sgd",
          name));
    }
    if (loss.hinge()) throw UsageError("unknown labels are summed over, which needs a finite beta");
    if (options.certify || options.gap > 0)
      throw UsageError("unknown labels make the loss non-convex: nothing can be certified");
  }
}

LearnerRun run_learner(const TrainOptions& options, const Loss& loss, const ChainModel& model,
                       bool partially_labelled, std::span<double> w, const LearnControl& control,
                       const std::function<double(std::span<const double>)>& held_out) {
  if (partially_labelled) return run_partial(options, loss, model, w, control, held_out);
  LearnerRun run;
  switch (options.learner) {
    case Learner::kLbfgs:
      run.summary =
          run_warm_lbfgs(options, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kDca:
      run.summary = loss.hinge()
                        ? run_dca(options, HingeProblem(model, loss.gamma), w, control)
                        : run_dca(options, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kSgd: {
      const SgdSummary summary =
          loss.hinge()
              ? run_sgd(options, HingeProblem(model, loss.gamma), w, control, held_out)
              : run_sgd(options, SmoothProblem(model, loss.beta, loss.gamma), w, control, held_out);
      run.eta = summary.eta;
      run.summary = summary;
      break;
    }
    case Learner::kBcfw:
      run.summary =
          loss.hinge() ? run_bcfw(options, HingeProblem(model, loss.gamma), w, control)
                       : run_bcfw(options, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kBmrm:
      run.summary =
          loss.hinge() ? run_bmrm(options, HingeProblem(model, loss.gamma), w, control)
                       : run_bmrm(options, SmoothProblem(model, loss.beta, loss.gamma), w, control);
      break;
    case Learner::kExtragradient:
    case Learner::kProjectedGradient:
    case Learner::kSmo:
    case Learner::kQp:
      run.summary = run_part_learner(options, loss, model, w, control);
      break;
    case Learner::kPerceptron: {
      PerceptronOptions perceptron_options;
      perceptron_options.max_epochs = epochs_or(options, 20);
      perceptron_options.average = options.average;
      perceptron_options.max_voters = options.voters;
      PerceptronSummary summary =
          perceptron(HingeProblem(model, loss.gamma), perceptron_options, w, control);
      run.voters = std::move(summary.voters);
      run.summary = std::move(summary);
      break;
    }
    case Learner::kMira: {
      KBestMiraOptions mira_options;
      mira_options.lambda = lambda_from_c(options.c, model.num_examples());
      mira_options.k = options.k;
      mira_options.max_epochs = epochs_or(options, 20);
      mira_options.average = options.average;
      run.summary = kbest_mira(KBestProblem(model, loss.gamma), mira_options, w, control);
      break;
    }
  }
  return run;
}

}  // namespace trellis::tag
