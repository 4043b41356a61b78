#include "trellis/tasks/label/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/label/choosing/cross_validation.h"
#include "trellis/tasks/label/choosing/threshold_tuning.h"
#include "trellis/tasks/label/methods/classifier_chain.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/reading/label_reader.h"
#include "trellis/tasks/label/train_options.h"
#include "trellis/tasks/learning_run.h"

namespace trellis::label {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index kLargeData = 100'000'000;  // stored values of all instances, times labels
constexpr double kLargeDataC = 0.01;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Training {
 public:
  Training(const TrainOptions& options, const TrainEvents& events)
      : options_(options), events_(events), threads_(resolve_threads(options.threads)) {
    require_cell(options_);
    result_.thresholds = resolve_thresholds(options_);
  }

  TrainResult run() {
    const Clock::time_point start = Clock::now();
    require_writable(options_.model);
    require_writable(options_.checkpoint);
    read();
    result_.read_seconds = seconds_since(start);
    if (select() && learn()) finish();
    result_.total_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  void phase(const std::string& message) const {
    if (events_.on_phase) events_.on_phase(message);
  }

  LabelData read_file(const std::string& path, std::vector<std::string> label_names) const {
    ReadOptions read_options;
    read_options.label_names = std::move(label_names);
    return read_label_data(path, read_options);
  }

  void read() {
    std::vector<std::string> names;
    if (!options_.label_file.empty()) names = read_label_names(options_.label_file);
    data_ = read_file(options_.data, std::move(names));
    require_instances();
    if (!options_.dev.empty()) dev_ = read_file(options_.dev, data_.label_names);
    result_.instances = data_.num_instances();
    result_.labels = data_.num_labels();
    result_.features = data_.num_features();
    const LabelSets instances = reversed(data_.labels, data_.num_labels());
    for (Index v = 0; v < data_.num_labels(); ++v) {
      if (instances[v].empty()) result_.absent_labels.push_back(data_.label_names[v]);
    }
    result_.scaling = resolve_scaling(data_.features, options_.scaling);
    scaling_ = choose_scaling(data_.features, options_.scaling, options_.bias);
    rows_ = scaled(data_.features, scaling_);
    phase(fmt::format("read {} instances, {} labels ({} without an instance), {} features",
                      result_.instances, result_.labels, result_.absent_labels.size(),
                      result_.features));
  }

  void require_instances() const {
    if (data_.num_instances() == 0)
      throw InputError(data_.file, 0, "expected instances, found none");
    if (data_.num_labels() == 0) throw InputError(data_.file, 0, "expected labels, found none");
    if (data_.labels.ids.empty()) {
      throw InputError(data_.file, 0, "no instance has a label: there is nothing to learn");
    }
  }

  // Chooses the setting, and thresholds on held-out scores. False: interrupted.
  bool select() {
    CvPlan plan;
    plan.settings = settings();
    plan.scales = std::max<Index>(1, options_.coupling_scales.size());
    plan.thresholds = result_.thresholds;
    plan.threads = threads_;
    setting_ = plan.settings.front();
    if (plan.settings.size() == 1 && !needs_held_out(plan.thresholds)) return true;
    const Clock::time_point start = Clock::now();
    if (plan.settings.size() > 1) {
      phase(fmt::format("choosing C by {} folds of the training set", options_.folds));
    }
    CvOutcome outcome = cross_validate(options_, data_, rows_, plan, events_);
    result_.cv_seconds = seconds_since(start);
    result_.interrupted = outcome.interrupted;
    if (outcome.interrupted) return false;
    result_.cv = std::move(outcome.figures);
    result_.per_label_figure = outcome.per_label_figure;
    setting_ = std::move(outcome.best);
    held_out_thresholds_ = std::move(outcome.thresholds);
    return true;
  }

  std::vector<FitSetting> settings() const {
    std::vector<double> scales = options_.coupling_scales;
    if (scales.empty()) scales = {1.0};
    FitSetting setting;
    if (options_.method == Method::kChain) {
      setting.chain_order =
          chain_order(data_.labels, data_.num_labels(), options_.order, options_.seed);
    }
    std::vector<FitSetting> all;
    for (const double c : candidates()) {
      for (const double scale : scales) {
        setting.c = c;
        setting.coupling_scale = scale;
        all.push_back(setting);
      }
    }
    return all;
  }

  std::vector<double> candidates() const {
    if (options_.c) return {*options_.c};
    if (options_.lambda) return {1 / (*options_.lambda * static_cast<double>(num_examples()))};
    if (options_.grid.empty() && is_large()) {
      phase(fmt::format("much data: C = {:g} instead of a search, which a grid would ask for",
                        kLargeDataC));
      return {kLargeDataC};
    }
    std::vector<double> grid = options_.grid.empty() ? default_grid(options_) : options_.grid;
    std::sort(grid.begin(), grid.end());
    return grid;
  }

  // A search over C takes folds times its size of fits, hours where one takes minutes. The C that
  // stands in for it is in the middle of what searches choose elsewhere.
  bool is_large() const {
    if (options_.method != Method::kBundle || options_.pairwise) return false;
    Index values = 0;
    for (Index i = 0; i < rows_.num_rows(); ++i) {
      values += rows_.is_dense() ? rows_.width() : rows_.ids(i).size();
    }
    return values > kLargeData / data_.num_labels();
  }

  // N of C = 1/(λN).
  Index num_examples() const {
    const bool reverse = options_.method == Method::kBundle &&
                         options_.measure.direction == Measure::Direction::kReverse;
    return reverse ? data_.num_labels() : data_.num_instances();
  }

  // What must be the same for a checkpoint to fit this run.
  std::string signature() const {
    return fmt::format(
        "{} {} joint={} C={} couplings={} pairs={} exact={} bias={} seed={} n={} "
        "labels={} features={}",
        to_string(options_.method), to_string(options_.measure), options_.joint, setting_.c,
        setting_.coupling_scale, options_.pairwise ? options_.pairs.share : 0.0,
        options_.pairs.exact, options_.bias, options_.seed, result_.instances, result_.labels,
        result_.features);
  }

  // False: interrupted.
  bool learn() {
    FitControl control;
    control.threads = threads_;
    control.stop = events_.stop;
    control.certify_calls = true;
    control.on_label = [this](Index solved, Index labels) {
      if (events_.on_progress) events_.on_progress(fmt::format("{} of {} labels", solved, labels));
    };
    if (runs_alone(options_)) {
      LearningRunOptions run_options;
      run_options.threads = threads_;
      run_options.certify = true;
      run_options.gap = options_.gap;
      run_options.seed = options_.seed;
      run_options.checkpoint = options_.checkpoint;
      run_options.resume = options_.resume;
      run_options.on_epoch = events_.on_epoch;
      run_options.stop = events_.stop;
      run_ = std::make_unique<LearningRun>(std::move(run_options), signature(),
                                           EarlyStopping::Metric{});
      control.run = run_.get();
    }
    fit_ = fit_labels(options_, {rows_, data_.labels, data_.num_labels()}, setting_, control);
    result_.summary = fit_.summary;
    result_.pairwise = fit_.pairwise;
    result_.c = setting_.c;
    result_.label_c = setting_.label_c;
    result_.coupling_scale = setting_.coupling_scale;
    result_.lambda = fit_.lambda;
    result_.interrupted = fit_.summary.termination == Termination::kInterrupted;
    result_.resumable = result_.interrupted && run_ != nullptr && !options_.checkpoint.empty();
    if (run_ != nullptr) run_->finish(fit_.summary, {});
    return !result_.interrupted;
  }

  void finish() {
    LabelModelParts& parts = fit_.parts;
    parts.label_names = data_.label_names;
    parts.feature_names = data_.feature_names;
    parts.scaling = scaling_;
    const TuningCase seen = make_case(parts, data_.labels, rows_, data_.labels, threads_);
    const ThresholdTuning tuning(options_.measure, data_.num_labels(), threads_);
    std::vector<double> training;
    const TuningCase* const cases[] = {&seen};
    if (needs_training(result_.thresholds)) training = tuning.best(cases);
    const std::vector<double> zero(data_.num_labels(), 0.0);
    const std::vector<double> thresholds =
        combine_thresholds(result_.thresholds, training, held_out_thresholds_, data_.num_labels());
    result_.training_at_zero = scores_of(data_, tuning.predict(seen, zero));
    result_.training = scores_of(data_, tuning.predict(seen, thresholds));
    if (dev_) {
      result_.dev_at_zero = dev_scores(parts);
      parts.thresholds = thresholds;
      result_.dev = dev_scores(parts);
    }
    parts.thresholds = thresholds;
    parts.training = provenance();
    if (!options_.model.empty()) write_label_model(parts, options_.model);
    if (run_ != nullptr) run_->discard_checkpoint();
  }

  LabelScores scores_of(const LabelData& data, const LabelSets& given,
                        std::span<const double> scores = {}) const {
    return score_label_sets(data.label_names, data.labels, given, scores,
                            options_.measure.set.beta);
  }

  LabelScores dev_scores(const LabelModelParts& parts) const {
    const Labelling labelling = label_instances(parts, *dev_, threads_);
    return scores_of(*dev_, labelling.labels, labelling.scores);
  }

  // How the model was made; nothing that differs between two runs of the same call.
  nlohmann::json provenance() const {
    nlohmann::json training;
    put_options(options_, result_, training);
    put_provenance(result_.summary, training);
    return training;
  }

  const TrainOptions& options_;
  const TrainEvents& events_;
  int threads_;
  TrainResult result_;
  LabelData data_;
  std::optional<LabelData> dev_;
  FeatureScaling scaling_;
  FeatureRows rows_;
  FitSetting setting_;
  std::vector<double> held_out_thresholds_;
  std::unique_ptr<LearningRun> run_;
  Fit fit_;
};

}  // namespace

TrainResult train_labeller(const TrainOptions& options, const TrainEvents& events) {
  return Training(options, events).run();
}

}  // namespace trellis::label
