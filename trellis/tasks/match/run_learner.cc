#include "trellis/tasks/match/run_learner.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/monte_carlo_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/covering_matching.h"
#include "trellis/tasks/match/graph_model.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::match {
namespace {

constexpr double kStandardGap = 1e-3;

using MarginModel = GraphModel<Matching>;
using SumModel = GraphModel<CoveringMatching>;

Index epochs_or(const TrainOptions& options, Index standard) {
  return options.epochs > 0 ? options.epochs : standard;
}

LearnSummary run_bmrm(const TrainOptions& options, const LearningTask& task, std::span<double> w,
                      LearnControl control) {
  const MarginModel model(task.examples, task.chosen, task.dimension, options.cover);
  BmrmOptions bmrm_options;
  bmrm_options.lambda = task.lambda;
  bmrm_options.max_iterations = epochs_or(options, 1000);
  control.gap_tolerance = options.gap > 0 ? options.gap : kStandardGap;
  return bmrm(HingeProblem<MarginModel>(model), bmrm_options, w, control);
}

LearnSummary run_bcfw(const TrainOptions& options, const LearningTask& task, std::span<double> w,
                      LearnControl control) {
  const MarginModel model(task.examples, task.chosen, task.dimension, options.cover);
  BcfwOptions bcfw_options;
  bcfw_options.lambda = task.lambda;
  bcfw_options.max_epochs = epochs_or(options, 300);
  bcfw_options.gap_every = 10;
  control.certify = true;
  control.gap_tolerance = options.gap > 0 ? options.gap : kStandardGap;
  return bcfw(HingeProblem<MarginModel>(model), bcfw_options, w, control);
}

LearnSummary run_lbfgs(const TrainOptions& options, const LearningTask& task, std::span<double> w,
                       LearnControl control) {
  const SumModel model(task.examples, task.chosen, task.dimension, options.cover);
  LbfgsOptions lbfgs_options;
  lbfgs_options.lambda = task.lambda;
  lbfgs_options.max_iterations = epochs_or(options, 300);
  control.certify = options.gap > 0;
  control.gap_tolerance = options.gap;
  return lbfgs(SmoothProblem<SumModel>(model), lbfgs_options, w, control);
}

MonteCarloOptions draws_of(const TrainOptions& options) {
  MonteCarloOptions draws;
  draws.draws = options.draws;
  draws.seed = options.seed;
  return draws;
}

// The mean of the iterates: the errors of the draws average out.
LearnSummary run_sgd(const TrainOptions& options, const LearningTask& task, std::span<double> w,
                     const LearnControl& control) {
  const SumModel model(task.examples, task.chosen, task.dimension, options.cover);
  SgdOptions sgd_options;
  sgd_options.lambda = task.lambda;
  sgd_options.max_epochs = epochs_or(options, 30);
  sgd_options.eta = options.eta;
  sgd_options.average = true;
  return sgd(MonteCarloProblem<SumModel>(model, draws_of(options)), sgd_options, w, control);
}

void require_learner(Estimator estimator, Learner learner) {
  const bool margin = learner == Learner::kBmrm || learner == Learner::kBcfw;
  if (margin == (estimator == Estimator::kMaxMargin)) return;
  throw UsageError(fmt::format("{} does not train the {} estimator: {}", to_string(learner),
                               to_string(estimator),
                               estimator == Estimator::kMaxMargin
                                   ? "its loss has corners; choose bmrm or bcfw"
                                   : "its loss is a sum over matchings; choose lbfgs or sgd"));
}

void require_numbers(const TrainOptions& options) {
  for (const double lambda : options.lambdas) {
    if (!(lambda > 0) || std::isinf(lambda)) {
      throw UsageError(fmt::format("lambda must be a positive number, not {}", lambda));
    }
  }
  if (!(options.gap >= 0)) {
    throw UsageError(
        fmt::format("the gap to stop at must not be negative, but is {}", options.gap));
  }
  if (options.folds == 1) throw UsageError("cross-validation needs at least 2 folds");
  if (options.folds > 0 && !options.dev.empty()) {
    throw UsageError("--cv and --dev both choose lambda: name one of them");
  }
}

}  // namespace

Learner resolve_learner(const TrainOptions& options) {
  require_numbers(options);
  const bool map = options.estimator == Estimator::kMap;
  if (options.estimator == Estimator::kDistance) {
    if (!options.pairs) {
      throw UsageError("the distance of shape contexts needs pairs of shapes: --pairs");
    }
    if (options.cover == Cover::kPartial) {
      throw UsageError(
          "distances are never better than nothing: partial matchings must be learned");
    }
    return Learner::kAutomatic;
  }
  if (map && options.cover == Cover::kPartial) {
    throw UsageError(
        "--estimator map sums over all matchings that cover the smaller side; for --cover partial "
        "choose --estimator max-margin");
  }
  if (options.draws > 0 && !map) {
    throw UsageError("--draws is for --estimator map: the max-margin estimator needs no sums");
  }
  Learner learner = options.learner;
  if (learner == Learner::kAutomatic) {
    learner = !map ? Learner::kBmrm : options.draws > 0 ? Learner::kSgd : Learner::kLbfgs;
  }
  require_learner(options.estimator, learner);
  if (learner == Learner::kSgd && options.draws < 2) {
    throw UsageError("sgd learns from draws, at least 2 of them for their variance: --draws 20");
  }
  if (learner == Learner::kLbfgs && options.draws > 0) {
    throw UsageError("lbfgs needs exact gradients: with --draws choose sgd");
  }
  return learner;
}

void require_graphs(const TrainOptions& options, std::span<const MatchExample> examples) {
  if (options.estimator != Estimator::kMap || options.draws > 0) return;
  for (const MatchExample& example : examples) {
    const Index larger = std::max(example.num_left, example.num_right);
    if (larger <= kLargestPermanent) continue;
    throw UsageError(fmt::format(
        "'{}' has {} nodes on a side, and sums over matchings are exact up to {}: estimate them, "
        "with --draws 20 for instance, or choose --estimator max-margin",
        example.name, larger, kLargestPermanent));
  }
}

LearnSummary run_learner(const TrainOptions& options, const LearningTask& task, std::span<double> w,
                         const LearnControl& control) {
  switch (resolve_learner(options)) {
    case Learner::kBmrm:
      return run_bmrm(options, task, w, control);
    case Learner::kBcfw:
      return run_bcfw(options, task, w, control);
    case Learner::kLbfgs:
      return run_lbfgs(options, task, w, control);
    case Learner::kSgd:
      return run_sgd(options, task, w, control);
    case Learner::kAutomatic:
      break;
  }
  std::fill(w.begin(), w.end(), -1.0);
  return {};
}

DrawFigures draw_figures(const TrainOptions& options, const LearningTask& task,
                         std::span<const double> w) {
  const SumModel model(task.examples, task.chosen, task.dimension, options.cover);
  const MonteCarloProblem<SumModel> problem(model, draws_of(options));
  std::vector<MonteCarloAccuracy> accuracies(model.num_examples());
  std::vector<std::vector<double>> gradients(model.num_examples());
  std::vector<std::unique_ptr<Scratch>> scratch;
  for (int t = 0; t < resolve_threads(options.threads); ++t) {
    scratch.push_back(problem.make_scratch());
  }
  parallel_for(model.num_examples(), options.threads, [&](Index i, int worker) {
    Scratch& memory = *scratch[static_cast<Index>(worker)];
    accuracies[i] = problem.accuracy(i, w, memory);
    gradients[i].assign(w.size(), 0.0);
    problem.accumulate(i, w, memory, gradients[i]);
  });
  const auto n = static_cast<double>(model.num_examples());
  DrawFigures figures;
  figures.draws = options.draws;
  std::vector<double> gradient(w.size(), 0.0);
  double attempts = 0;
  double variance = 0;
  for (Index i = 0; i < model.num_examples(); ++i) {
    attempts += static_cast<double>(accuracies[i].attempts);
    variance += accuracies[i].gradient_variance / (n * n);
    for (Index k = 0; k < w.size(); ++k) gradient[k] += gradients[i][k] / n;
  }
  double squared_norm = 0;
  for (Index k = 0; k < w.size(); ++k) {
    const double g = gradient[k] + task.lambda * w[k];
    squared_norm += g * g;
  }
  figures.acceptance = n * static_cast<double>(options.draws) / attempts;
  figures.gradient_norm = std::sqrt(squared_norm);
  figures.gradient_error = std::sqrt(variance);
  return figures;
}

}  // namespace trellis::match
