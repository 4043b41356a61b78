#include "trellis/tasks/label/methods/fit.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>

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

LearnControl own_control(const TrainOptions& options, const FitControl& control, int threads) {
  LearnControl learn;
  learn.threads = threads;
  learn.certify = true;
  learn.gap_tolerance = options.gap;
  learn.stop = control.stop;
  learn.seed = options.seed;
  return learn;
}

Fit fit_by_method(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                  const FitControl& control) {
  switch (options.method) {
    case Method::kLogistic:
    case Method::kSvm:
      return fit_binary_relevance(options, data, setting, control);
    case Method::kChain:
      return fit_chain(options, data, setting, control);
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
  fit.parts.thresholds.assign(data.num_labels, 0.0);
  fit.summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

bool fits_by_label(const TrainOptions& options) {
  if (options.method == Method::kChain) return false;
  if (options.method != Method::kBundle) return true;
  return options.measure.direction == Measure::Direction::kReverse && !options.joint;
}

std::vector<LearnSummary> run_labels(Index num_labels, const TrainOptions& options,
                                     const FitControl& control, const LabelRun& run) {
  std::vector<LearnSummary> summaries(num_labels);
  std::mutex mutex;
  Index solved = 0;
  parallel_for(num_labels, control.threads, [&](Index v, int) {
    if (control.stop.stop_requested()) {
      summaries[v].termination = Termination::kInterrupted;
      return;
    }
    summaries[v] = run(v, own_control(options, control, 1));
    const std::lock_guard lock(mutex);
    ++solved;
    if (control.on_label) control.on_label(solved, num_labels);
  });
  return summaries;
}

LearnSummary run_alone(const TrainOptions& options, const FitControl& control,
                       const std::function<LearnSummary(const LearnControl&)>& run) {
  if (control.run != nullptr) return run(control.run->control());
  return run(own_control(options, control, control.threads));
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

double c_of(const FitSetting& setting, Index v) {
  return setting.label_c.empty() ? setting.c : setting.label_c[v];
}

}  // namespace trellis::label
