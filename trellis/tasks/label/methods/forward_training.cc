#include "trellis/tasks/label/methods/forward_training.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"

namespace trellis::label {
namespace {

LearnSummary run_bmrm(const TrainOptions& options, const ConvexOracle& problem, double lambda,
                      std::span<double> w, const LearnControl& control) {
  BmrmOptions bmrm_options;
  bmrm_options.lambda = lambda;
  if (options.epochs > 0) bmrm_options.max_iterations = options.epochs;
  return bmrm(problem, bmrm_options, w, control);
}

LearnSummary run_bcfw(const TrainOptions& options, const ConvexOracle& problem, double lambda,
                      std::span<double> w, const LearnControl& control) {
  BcfwOptions bcfw_options;
  bcfw_options.lambda = lambda;
  bcfw_options.max_epochs = options.epochs > 0 ? options.epochs : 500;
  bcfw_options.gap_every = 5;
  return bcfw(problem, bcfw_options, w, control);
}

Fit fit_unary(const TrainOptions& options, const FitData& data, double lambda,
              const FitControl& control) {
  std::vector<std::span<const std::uint32_t>> sets;
  for (Index i = 0; i < data.labels.size(); ++i) sets.push_back(data.labels[i]);
  const LabelSetModel model(data.rows, data.num_labels, std::move(sets), options.measure.set,
                            options.argmax);
  const HingeProblem<LabelSetModel> problem(model);
  Fit fit;
  fit.parts.weights.assign(problem.dimension(), 0.0);
  fit.summary = run_alone(options, control, [&](const LearnControl& learn) {
    return options.learner == ForwardLearner::kBcfw
               ? run_bcfw(options, problem, lambda, fit.parts.weights, learn)
               : run_bmrm(options, problem, lambda, fit.parts.weights, learn);
  });
  return fit;
}

PairwiseLabelOptions pairwise_options(const TrainOptions& options, const FitSetting& setting) {
  PairwiseLabelOptions pairwise;
  pairwise.measure = options.measure.set;
  pairwise.coupling_scale = setting.coupling_scale;
  pairwise.generator =
      options.pairs.exact ? PairwiseGenerator::kExact : PairwiseGenerator::kAlgorithm5;
  if (options.pairs.work > 0) {
    pairwise.limits.work = options.pairs.work;
  }
  pairwise.limits.seconds = options.pairs.call_seconds;
  return pairwise;
}

// The losses that the learner saw are those of the outputs that were found; the honest objective
// has what they may lack.
PairwiseFigures certify(const PairwiseLabelModel& model, const PairwiseSearchLimits& limits,
                        double lambda, std::span<const double> w, int threads,
                        LearnSummary& summary) {
  const RiskBounds risk = model.risk_bounds(1, w, limits, threads);
  double squares = 0;
  for (const double weight : w) squares += weight * weight;
  const double upper = lambda / 2 * squares + risk.bound;
  PairwiseFigures figures;
  figures.pairs = model.pairs().size();
  figures.proven_share = risk.proven;
  figures.found_objective = summary.objective;
  const PairwiseStatistics calls = model.statistics();
  if (calls.calls > 0) {
    figures.proven_calls = static_cast<double>(calls.proven) / static_cast<double>(calls.calls);
  }
  summary.objective = std::max(summary.objective, upper);
  summary.gap = summary.objective - summary.bound;
  return figures;
}

Fit fit_coupled(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                double lambda, const FitControl& control) {
  const LabelSetView sets{data.labels.begin, data.labels.ids};
  const PairwiseLabelOptions pairwise = pairwise_options(options, setting);
  const PairwiseLabelModel model(data.rows, sets, data.num_labels,
                                 frequent_label_pairs(sets, data.num_labels, options.pairs.share),
                                 pairwise);
  const HingeProblem<PairwiseLabelModel> problem(model);
  std::vector<double> w(problem.dimension(), 0.0);
  Fit fit;
  fit.summary = run_alone(options, control, [&](const LearnControl& learn) {
    return run_bmrm(options, problem, lambda, w, learn);
  });
  if (control.certify_calls && fit.summary.termination != Termination::kInterrupted) {
    fit.pairwise = certify(model, pairwise.limits, lambda, w, control.threads, fit.summary);
  }
  fit.parts.form = ModelForm::kPairwise;
  fit.parts.pairs.assign(model.pairs().begin(), model.pairs().end());
  fit.parts.couplings = model.couplings(w);
  w.resize(model.first_pair_weight());
  fit.parts.weights = std::move(w);
  return fit;
}

}  // namespace

Fit fit_forward(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control) {
  const double lambda = lambda_from_c(setting.c, data.rows.num_rows());
  Fit fit = options.pairwise ? fit_coupled(options, data, setting, lambda, control)
                             : fit_unary(options, data, lambda, control);
  fit.lambda = lambda;
  return fit;
}

}  // namespace trellis::label
