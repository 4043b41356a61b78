#include "trellis/tasks/rank/run_learner.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::rank {
namespace {

constexpr std::array<std::pair<std::string_view, Learner>, 3> kLearners = {
    {{"lbfgs", Learner::kLbfgs}, {"bmrm", Learner::kBmrm}, {"bcfw", Learner::kBcfw}}};

LearnSummary run_lbfgs(const TrainOptions& options, double lambda, const RankingModel& model,
                       std::span<double> w, const LearnControl& control) {
  LbfgsOptions lbfgs_options;
  lbfgs_options.lambda = lambda;
  lbfgs_options.max_iterations = options.epochs;
  // The certified gap ends the run; these are for where it does not get there.
  lbfgs_options.epsilon = 0;
  lbfgs_options.delta = 1e-10;
  return lbfgs(SmoothProblem<RankingModel>(model, 1, resolve_gamma(options)), lbfgs_options, w,
               control);
}

LearnSummary run_bmrm(const TrainOptions& options, double lambda, const ConvexOracle& oracle,
                      std::span<double> w, const LearnControl& control) {
  BmrmOptions bmrm_options;
  bmrm_options.lambda = lambda;
  bmrm_options.max_iterations = options.epochs;
  return bmrm(oracle, bmrm_options, w, control);
}

LearnSummary run_bcfw(const TrainOptions& options, double lambda, const ConvexOracle& oracle,
                      std::span<double> w, const LearnControl& control) {
  BcfwOptions bcfw_options;
  bcfw_options.lambda = lambda;
  bcfw_options.max_epochs = options.epochs;
  return bcfw(oracle, bcfw_options, w, control);
}

}  // namespace

std::string_view to_string(Learner learner) {
  for (const auto& [name, value] : kLearners) {
    if (value == learner) return name;
  }
  return {};
}

Learner parse_learner(std::string_view name) {
  for (const auto& [known, value] : kLearners) {
    if (known == name) return value;
  }
  throw UsageError(fmt::format("unknown learner '{}': expected lbfgs, bmrm or bcfw", name));
}

std::string_view to_string(Estimator estimator) {
  return estimator == Estimator::kMap ? "map" : "max-margin";
}

Estimator parse_estimator(std::string_view name) {
  if (name == "map") return Estimator::kMap;
  if (name == "max-margin") return Estimator::kMaxMargin;
  throw UsageError(fmt::format("unknown estimator '{}': expected map or max-margin", name));
}

Learner resolve_learner(const TrainOptions& options) {
  return options.learner.value_or(options.estimator == Estimator::kMap ? Learner::kLbfgs
                                                                       : Learner::kBmrm);
}

double resolve_gamma(const TrainOptions& options) {
  return options.gamma.value_or(options.estimator == Estimator::kMap ? 0 : 1);
}

double resolve_gap(const TrainOptions& options) {
  return options.gap.value_or(options.estimator == Estimator::kMap ? 1e-6 : 1e-4);
}

void require_cell(const TrainOptions& options) {
  if (options.estimator == Estimator::kMaxMargin && resolve_learner(options) == Learner::kLbfgs) {
    throw UsageError("lbfgs needs a gradient, and the margin loss has none: choose bmrm or bcfw");
  }
  if (!(resolve_gamma(options) >= 0) || std::isinf(resolve_gamma(options))) {
    throw UsageError(
        fmt::format("the scale of the cost must be a number from 0 on, not {}", *options.gamma));
  }
  if (options.estimator == Estimator::kMaxMargin && resolve_gamma(options) == 0) {
    throw UsageError("without its cost (--gamma 0) the margin loss is 0 for weights of 0");
  }
  if (!(resolve_gap(options) >= 0)) {
    throw UsageError(
        fmt::format("the gap to stop at must not be negative, but is {}", *options.gap));
  }
  for (const double lambda : options.lambdas) {
    if (!(lambda > 0) || std::isinf(lambda)) {
      throw UsageError(fmt::format("lambda must be a number above 0, not {}", lambda));
    }
  }
  if (options.lambdas.size() > 1 && options.dev.empty() && options.folds == 0) {
    throw UsageError("several lambdas need something to choose by: --dev FILE or --cv K");
  }
  if (!options.dev.empty() && options.folds > 0) {
    throw UsageError("lambda is chosen by --dev or by --cv, not by both");
  }
  if (options.folds == 1) throw UsageError("a cross-validation has at least two folds");
  if (options.epochs == 0) throw UsageError("no epochs at all would train nothing");
}

LearnSummary run_learner(const TrainOptions& options, double lambda, const RankingModel& model,
                         std::span<double> w, const LearnControl& control) {
  const Learner learner = resolve_learner(options);
  if (learner == Learner::kLbfgs) return run_lbfgs(options, lambda, model, w, control);
  const auto run = learner == Learner::kBmrm ? run_bmrm : run_bcfw;
  if (options.estimator == Estimator::kMap) {
    return run(options, lambda, SmoothProblem<RankingModel>(model, 1, resolve_gamma(options)), w,
               control);
  }
  return run(options, lambda, HingeProblem<RankingModel>(model, resolve_gamma(options)), w,
             control);
}

}  // namespace trellis::rank
