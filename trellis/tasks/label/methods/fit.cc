#include "trellis/tasks/label/methods/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/tasks/label/methods/binary_relevance.h"
#include "trellis/tasks/label/methods/classifier_chain.h"
#include "trellis/tasks/label/methods/forward_training.h"
#include "trellis/tasks/label/methods/reverse_training.h"

namespace trellis::label {
namespace {

// From the best outcome to the worst.
constexpr std::array kOutcomes = {Termination::kConverged, Termination::kStalled,
                                  Termination::kObserver, Termination::kMaxEpochs,
                                  Termination::kInterrupted};

Termination worse(Termination a, Termination b) {
  return std::find(kOutcomes.begin(), kOutcomes.end(), a) >
                 std::find(kOutcomes.begin(), kOutcomes.end(), b)
             ? a
             : b;
}

LearnControl learn_control(const FitControl& control, int threads) {
  LearnControl learn;
  learn.threads = threads;
  learn.seed = control.seed;
  return learn;
}

LearnerChoice choice_of(const FitSetting& setting, Index v) {
  LearnerChoice choice = setting.choice;
  if (!setting.label_c.empty()) choice.values.c = setting.label_c[v];
  return choice;
}

double norm_of(std::span<const double> w) {
  double squares = 0;
  for (const double weight : w) squares += weight * weight;
  return std::sqrt(squares);
}

Fit fit_by_method(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                  const FitControl& control) {
  switch (options.method) {
    case Method::kLogistic:
    case Method::kSvm:
      return fit_binary_relevance(data, setting, control);
    case Method::kChain:
      return fit_chain(data, setting, control);
    case Method::kBundle:
      break;
  }
  return options.measure.direction == Measure::Direction::kReverse
             ? fit_reverse(options, data, setting, control)
             : fit_forward(options, data, setting, control);
}

}  // namespace

Fit fit_labels(const TrainOptions& options, const FitData& data, const FitSetting& setting,
               const FitControl& control) {
  const auto start = std::chrono::steady_clock::now();
  Fit fit = fit_by_method(options, data, setting, control);
  fit.model.thresholds.assign(data.num_labels, 0.0);
  if (fit.norm == 0) {
    fit.norm = std::hypot(norm_of(fit.model.weights), norm_of(fit.model.chain_weights));
  }
  if (fit.summary.seconds > 0) return fit;  // of one run: what was before an interruption counts
  fit.summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

LearnSummary run_labels(Index num_labels, const FitSetting& setting, const FitControl& control,
                        const SolveLabel& solve) {
  std::vector<LearnSummary> summaries(num_labels);
  std::mutex mutex;
  Index solved = 0;
  parallel_for(num_labels, control.threads, [&](Index v, int) {
    summaries[v].termination = Termination::kInterrupted;
    if (control.stages.stop_requested()) return;
    const LearnerChoice choice = choice_of(setting, v);
    solve(v, [&](const FitFunction& fit, std::span<double> theta) {
      Watched watched;
      if (run_watched(control.stages, fmt::format("{}/label/{}", control.stage, v), fit,
                      {choice, theta, learn_control(control, 1)}, {}, {}, watched)) {
        summaries[v] = std::move(watched.fitted.summary);
      }
    });
    const std::lock_guard lock(mutex);
    ++solved;
    if (control.on_label) control.on_label(solved, num_labels);
  });
  return summary_of_labels(summaries);
}

Fit run_once(const FitFunction& fit, Index dimension, const FitSetting& setting,
             const FitControl& control, const ModelOf& model_of) {
  std::vector<double> w(dimension, 0.0);
  Metric metric;
  if (control.watch) {
    metric = [&](std::span<const double> weights) { return control.watch(model_of(weights)); };
  }
  Watched watched;
  const FitCall call{setting.choice, w, learn_control(control, control.threads), metric};
  const bool done =
      run_watched(control.stages, control.stage, fit, call, metric, control.on_epoch, watched);
  Fit result;
  result.summary = std::move(watched.fitted.summary);
  if (!done) result.summary.termination = Termination::kInterrupted;
  result.best_epoch = watched.best_epoch;
  result.eta = watched.fitted.eta;
  result.norm = norm_of(w);
  result.model = model_of(w);
  return result;
}

LearnSummary summary_of_labels(std::span<const LearnSummary> labels) {
  LearnSummary mean;
  mean.termination = Termination::kConverged;
  mean.objective = mean.bound = mean.gap = 0;
  const auto n = static_cast<double>(labels.size());
  for (const LearnSummary& label : labels) {
    mean.objective += label.objective / n;
    mean.bound += label.bound / n;
    mean.gap += label.gap / n;
    mean.epochs = std::max(mean.epochs, label.epochs);
    mean.termination = worse(mean.termination, label.termination);
  }
  return mean;
}

void put_column(std::span<const double> column, Index v, Index num_labels,
                std::span<double> weights) {
  for (Index k = 0; k < column.size(); ++k) weights[k * num_labels + v] = column[k];
}

std::vector<std::uint8_t> indicator(std::span<const std::uint32_t> instances, Index num_instances) {
  std::vector<std::uint8_t> has(num_instances, 0);
  for (const std::uint32_t i : instances) has[i] = 1;
  return has;
}

}  // namespace trellis::label
