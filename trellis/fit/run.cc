#include "trellis/fit/run.h"

#include <limits>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/learn/dual/soft_smo.h"
#include "trellis/learn/dual/structured_smo.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/learn/saddle_point/example_game.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/learn/saddle_point/projected_gradient.h"

namespace trellis {
namespace {

const LearnerOptions& dials_of(const FitCall& call) {
  return call.choice.values;
}

LearnControl control_of(const FitCall& call) {
  LearnControl control = call.control;
  control.certify = call.choice.certifies();
  control.gap_tolerance = call.choice.gap();
  return control;
}

// What the warm-ups see: no history, no certificate, no checkpoint.
LearnControl quiet(const FitCall& call) {
  LearnControl control;
  control.threads = call.control.threads;
  control.seed = call.control.seed;
  control.stop = call.control.stop;
  return control;
}

bool begins_afresh(const FitCall& call) {
  const Checkpoint* checkpoint = call.control.checkpoint;
  return !call.started && (checkpoint == nullptr || !checkpoint->has("trace/identity"));
}

// L-BFGS starts well from where a few epochs of an online learner end (Agarwal et al. 2014,
// sec. 2.3): they are cheap, and spare it the first third of its passes. Not for L1, whose zeros
// are where it starts. Leaves no checkpoint: an interrupted run begins with this again.
bool warm_up_lbfgs(const CutOracle& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  if (*dials.warm_up == 0 || *dials.l1 > 0 || !begins_afresh(call)) return true;
  DcaOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.max_epochs = *dials.warm_up;
  return dca(oracle, options, call.w, quiet(call)).termination != Termination::kInterrupted;
}

template <class SmoothType>
Fitted run_lbfgs(const SmoothType& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  LbfgsOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.rho = *dials.l1 / static_cast<double>(oracle.num_examples());
  options.max_iterations = *dials.epochs;
  options.epsilon = *dials.epsilon;
  options.delta = *dials.delta;
  return {lbfgs(oracle, options, call.w, control_of(call)), {}, 0};
}

template <class OracleType>
Fitted run_sgd(const OracleType& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  SgdOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.max_epochs = *dials.epochs;
  options.eta = *dials.eta;
  options.average = *dials.average;
  options.held_out = call.held_out;
  SgdSummary summary = sgd(oracle, options, call.w, control_of(call));
  const double eta = summary.eta;
  return {std::move(summary), {}, eta};
}

template <class OracleType>
LearnSummary run_dca(const OracleType& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  DcaOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.max_epochs = *dials.epochs;
  options.dual = call.choice.stored_dual() ? DcaDual::kStored : DcaDual::kOnline;
  options.average = *dials.average;
  return dca(oracle, options, call.w, control_of(call));
}

LearnSummary run_bcfw(const CutOracle& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  BcfwOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.max_epochs = *dials.epochs;
  options.cache_size = *dials.cache;
  options.average = *dials.average ? BcfwAverage::kWeighted : BcfwAverage::kNone;
  options.gap_every = *dials.gap_every;
  return bcfw(oracle, options, call.w, control_of(call));
}

LearnSummary run_bmrm(const CutOracle& oracle, const FitCall& call) {
  BmrmOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.max_iterations = *dials_of(call).epochs;
  return bmrm(oracle, options, call.w, control_of(call));
}

// The learners that take any losses with cuts.
Fitted run_cuts(const CutOracle& oracle, const FitCall& call) {
  switch (call.choice.learner) {
    case LearnerKind::kDca:
      return {run_dca(oracle, call), {}, 0};
    case LearnerKind::kBcfw:
      return {run_bcfw(oracle, call), {}, 0};
    case LearnerKind::kBmrm:
      return {run_bmrm(oracle, call), {}, 0};
    default:
      return run_sgd(oracle, call);
  }
}

// λ, or a ball of the radius that was given instead.
void hold_weights(const FitCall& call, Index num_examples, WeightBallOptions& options) {
  const LearnerOptions& dials = dials_of(call);
  options.lambda = call.choice.lambda(num_examples);
  if (!dials.radius) return;
  options.ball = dials.l1_ball.value_or(false) ? WeightBall::kL1 : WeightBall::kEuclidean;
  options.radius = *dials.radius;
}

template <class PartOracleType>
Fitted run_extragradient(const PartOracleType& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  if (call.choice.by_examples()) {
    ExampleGameOptions options;
    options.lambda = call.choice.lambda(oracle.num_examples());
    options.max_epochs = *dials.epochs;
    options.step_scale = *dials.step_scale;
    options.gap_every = *dials.gap_every;
    return {example_game(oracle, options, call.w, control_of(call)), {}, 0};
  }
  ExtragradientOptions options;
  if (*dials.steps == "plain") {
    options.adaptive = options.accelerate = false;
    options.balance = 1;
  }
  hold_weights(call, oracle.num_examples(), options);
  options.max_iterations = *dials.epochs;
  options.step_scale = *dials.step_scale;
  options.gap_every = *dials.gap_every;
  return {extragradient(oracle, options, call.w, control_of(call)), {}, 0};
}

}  // namespace

Fitted interrupted() {
  Fitted fitted;
  fitted.summary.termination = Termination::kInterrupted;
  return fitted;
}

void throw_no_oracle(const LearnerChoice& choice) {
  throw UsageError("this model has no oracle for " + choice.description());
}

bool warm_up(const CutOracle& oracle, const FitCall& call) {
  const Index epochs = call.choice.values.warm_up.value_or(0);
  if (epochs == 0 || !begins_afresh(call)) return true;
  BcfwOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.max_epochs = epochs;
  options.average = BcfwAverage::kWeighted;
  return bcfw(oracle, options, call.w, quiet(call)).termination != Termination::kInterrupted;
}

Fitted run(const SearchOracle& oracle, const FitCall& call) {
  if (call.choice.learner != LearnerKind::kPerceptron) return run_cuts(oracle, call);
  const LearnerOptions& dials = dials_of(call);
  PerceptronOptions options;
  options.max_epochs = *dials.epochs;
  options.average = *dials.average;
  options.max_voters = *dials.voters;
  PerceptronSummary summary = perceptron(oracle, options, call.w, control_of(call));
  std::vector<Voter> voters = std::move(summary.voters);
  return {std::move(summary), std::move(voters), 0};
}

Fitted run(const SmoothConvexOracle& oracle, const FitCall& call) {
  if (call.choice.learner != LearnerKind::kLbfgs) return run_cuts(oracle, call);
  return warm_up_lbfgs(oracle, call) ? run_lbfgs(oracle, call) : interrupted();
}

Fitted run(const SmoothOracle& oracle, const FitCall& call) {
  return call.choice.learner == LearnerKind::kLbfgs ? run_lbfgs(oracle, call)
                                                    : run_sgd<Oracle>(oracle, call);
}

Fitted run(const StochasticOracle& oracle, const FitCall& call) {
  return run_sgd<Oracle>(oracle, call);
}

Fitted run(const ApproximateOracle& oracle, const FitCall& call) {
  if (call.choice.learner == LearnerKind::kDca) return {run_dca(oracle, call), {}, 0};
  return run_sgd<Oracle>(oracle, call);
}

Fitted run(const UpperBoundOracle& oracle, const FitCall& call) {
  if (call.choice.learner == LearnerKind::kLbfgs) return run_lbfgs<SmoothOracle>(oracle, call);
  return run(static_cast<const ApproximateOracle&>(oracle), call);
}

Fitted run(const KBestOracle& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  KBestMiraOptions options;
  options.lambda = call.choice.lambda(oracle.num_examples());
  options.k = *dials.k;
  options.max_epochs = *dials.epochs;
  options.average = *dials.average;
  return {kbest_mira(oracle, options, call.w, control_of(call)), {}, 0};
}

Fitted run(const EuclideanPartOracle& oracle, const FitCall& call) {
  if (call.choice.learner == LearnerKind::kExtragradient) return run_extragradient(oracle, call);
  const LearnerOptions& dials = dials_of(call);
  ProjectedGradientOptions options;
  hold_weights(call, oracle.num_examples(), options);
  options.max_iterations = *dials.epochs;
  options.step_scale = *dials.step_scale;
  options.gap_every = *dials.gap_every;
  return {projected_gradient(oracle, options, call.w, control_of(call)), {}, 0};
}

Fitted run(const EntropicPartOracle& oracle, const FitCall& call) {
  return run_extragradient(oracle, call);
}

Fitted run(const PartOracle& oracle, const FitCall& call) {
  const double lambda = call.choice.lambda(oracle.num_examples());
  if (call.choice.learner == LearnerKind::kQp) {
    WeightPenalty penalty;
    penalty.lambda = lambda;
    if (dials_of(call).radius) penalty.radius = *dials_of(call).radius;
    return {reference_qp(oracle, penalty, call.w, {}, control_of(call)), {}, 0};
  }
  StructuredSmoOptions options;
  options.lambda = lambda;
  options.max_epochs = *dials_of(call).epochs;
  return {structured_smo(oracle, options, call.w, control_of(call)), {}, 0};
}

Fitted run(const LabelOracle& oracle, const FitCall& call) {
  const LearnerOptions& dials = dials_of(call);
  const double lambda = call.choice.lambda(oracle.num_examples());
  // Where a gap is asked for, nothing else ends the run.
  const double epsilon =
      call.choice.gap() > 0 ? std::numeric_limits<double>::min() : *dials.epsilon;
  // They look at the gap where it may be small enough, and at every epoch's only if asked to.
  LearnControl control = control_of(call);
  control.certify = dials.certify.value_or(false);
  if (!call.choice.loss.hinge()) {
    const SoftSmoOptions options{lambda, call.choice.loss.beta, *dials.epochs, epsilon};
    return {soft_smo(oracle, options, call.w, control), {}, 0};
  }
  SmoOptions options;
  options.lambda = lambda;
  options.max_epochs = *dials.epochs;
  options.epsilon = epsilon;
  return {smo(oracle, options, call.w, control), {}, 0};
}

}  // namespace trellis
