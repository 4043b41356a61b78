#include "trellis/tasks/label/methods/forward_training.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "trellis/fit/fit.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"

namespace trellis::label {
namespace {

Fit fit_unary(const TrainOptions& options, const FitData& data, const FitSetting& setting,
              const FitControl& control) {
  std::vector<std::span<const std::uint32_t>> sets;
  for (Index i = 0; i < data.labels.size(); ++i) sets.push_back(data.labels[i]);
  const LabelSetModel model(data.rows, data.num_labels, std::move(sets), options.measure.set,
                            options.argmax);
  const auto model_of = [](std::span<const double> w) {
    LabelModel labeller;
    labeller.weights.assign(w.begin(), w.end());
    return labeller;
  };
  return run_once([&](const FitCall& call) { return fit(model, call); }, model.dimension(), setting,
                  control, model_of);
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
// has what they may lack. Where the learner has no objective, neither has this.
PairwiseFigures certify(const PairwiseLabelModel& model, const PairwiseSearchLimits& limits,
                        const LearnerChoice& choice, std::span<const double> w, int threads,
                        LearnSummary& summary) {
  const RiskBounds risk = model.risk_bounds(choice.loss.gamma, w, limits, threads);
  PairwiseFigures figures;
  figures.pairs = model.pairs().size();
  figures.proven_share = risk.proven;
  figures.found_objective = summary.objective;
  const PairwiseStatistics calls = model.statistics();
  if (calls.calls > 0) {
    figures.proven_calls = static_cast<double>(calls.proven) / static_cast<double>(calls.calls);
  }
  if (!std::isfinite(summary.objective)) return figures;
  double squares = 0;
  for (const double weight : w) squares += weight * weight;
  const double upper = choice.lambda(model.num_examples()) / 2 * squares + risk.bound;
  summary.objective = std::max(summary.objective, upper);
  summary.gap = summary.objective - summary.bound;
  return figures;
}

Fit fit_coupled(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control) {
  const LabelSetView sets{data.labels.begin, data.labels.ids};
  const PairwiseLabelOptions pairwise = pairwise_options(options, setting);
  const PairwiseLabelModel model(data.rows, sets, data.num_labels,
                                 frequent_label_pairs(sets, data.num_labels, options.pairs.share),
                                 pairwise);
  std::vector<double> last;  // the weights of the last model
  const auto model_of = [&](std::span<const double> w) {
    last.assign(w.begin(), w.end());
    LabelModel labeller;
    labeller.form = ModelForm::kPairwise;
    labeller.pairs.assign(model.pairs().begin(), model.pairs().end());
    labeller.couplings = model.couplings(w);
    labeller.weights.assign(w.begin(),
                            w.begin() + static_cast<std::ptrdiff_t>(model.first_pair_weight()));
    labeller.thresholds.assign(data.num_labels, 0.0);
    return labeller;
  };
  Fit result = run_once([&](const FitCall& call) { return fit(model, call); }, model.dimension(),
                        setting, control, model_of);
  if (control.certify_calls && !result.interrupted()) {
    result.pairwise =
        certify(model, pairwise.limits, setting.choice, last, control.threads, result.summary);
  }
  return result;
}

}  // namespace

Fit fit_forward(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control) {
  Fit fit = options.pairwise ? fit_coupled(options, data, setting, control)
                             : fit_unary(options, data, setting, control);
  fit.lambda = setting.choice.lambda(data.rows.num_rows());
  return fit;
}

}  // namespace trellis::label
