#include "trellis/tasks/label/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/stopwatch.h"
#include "trellis/tasks/label/choosing/held_out_choice.h"
#include "trellis/tasks/label/choosing/thresholds.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/model/model_rows.h"
#include "trellis/tasks/label/reading/label_reader.h"
#include "trellis/tasks/label/train_options.h"
#include "trellis/tasks/training/choosing.h"

namespace trellis::label {
namespace {

constexpr Index kLargeData = 100'000'000;  // stored values of all instances, times labels
constexpr double kLargeDataC = 0.01;

void require_labels(const LabelData& data) {
  if (data.num_instances() == 0) throw InputError(data.file, 0, "expected instances, found none");
  if (data.num_labels() == 0) throw InputError(data.file, 0, "expected labels, found none");
  if (data.labels.ids.empty()) {
    throw InputError(data.file, 0, "no instance has a label: there is nothing to learn");
  }
}

class Training {
 public:
  Training(const LabelData& data, const LabelData* dev, const TrainOptions& options,
           const TrainEvents& events)
      : data_(data),
        dev_(dev),
        options_(options),
        events_(events),
        threads_(resolve_threads(options.training.threads)),
        choice_(choose_learner(options)) {
    require_labels(data_);
    result_.options = options_;
    result_.thresholds = resolve_thresholds(options_);
  }

  Trained run() {
    scale();
    make_settings();
    learned().stages = make_stages(choice_, options_.training, identity(), events_);
    if (!choose() || !fit_last()) {
      learned().interrupted = true;
      learned().stages->keep();
      return {{}, std::move(result_)};
    }
    set_thresholds();
    model_.training = provenance(result_);
    result_.seconds.total = watch_.seconds();
    return {std::move(model_), std::move(result_)};
  }

 private:
  Learned& learned() { return result_.learned; }

  void scale() {
    result_.instances = data_.num_instances();
    result_.labels = data_.num_labels();
    result_.features = data_.num_features();
    const LabelSets instances = reversed(data_.labels, data_.num_labels());
    for (Index v = 0; v < data_.num_labels(); ++v) {
      if (instances[v].empty()) result_.absent_labels.push_back(data_.label_names[v]);
    }
    result_.scaling = resolve_scaling(data_.features, options_.scaling);
    outline_.label_names = data_.label_names;
    outline_.feature_names = data_.feature_names;
    outline_.scaling = choose_scaling(data_.features, options_.scaling, options_.bias);
    all_ = std::make_shared<const LabelledRows>(
        LabelledRows{scaled(data_.features, outline_.scaling), data_.labels, data_.num_labels()});
    if (dev_ != nullptr) {
      dev_rows_ = std::make_shared<const LabelledRows>(
          LabelledRows{rows_between(ModelRows(outline_, *dev_), *dev_, 0, dev_->num_instances()),
                       dev_->labels, data_.num_labels()});
    }
    events_.phase(fmt::format("read {} instances, {} labels ({} without an instance), {} features",
                              result_.instances, result_.labels, result_.absent_labels.size(),
                              result_.features));
  }

  // What the bits of a run depend on, beside the learner.
  std::string identity() const {
    std::string text = fmt::format("{} data={:x}", describe(options_), digest(data_));
    return dev_ == nullptr ? text : text + fmt::format(" dev={:x}", digest(*dev_));
  }

  void make_settings() {
    std::vector<double> scales = options_.coupling_scales;
    if (scales.empty()) scales = {1.0};
    FitSetting setting;
    if (options_.method == Method::kChain) {
      setting.chain_order =
          chain_order(data_.labels, data_.num_labels(), options_.order, options_.training.seed);
    }
    learned().searched = candidates();
    const std::vector<Path> paths = paths_of(choice_, learned().searched);
    plan_.path_length = paths.front().size();
    plan_.scales = scales.size();
    for (const Path& path : paths) {
      for (const LearnerChoice& choice : path) {
        for (const double scale : scales) {
          setting.name = describe_setting(choice, learned().searched);
          if (scales.size() > 1) {
            setting.name +=
                fmt::format("{}couplings x {:g}", setting.name.empty() ? "" : ", ", scale);
          }
          setting.choice = with_c(choice);
          setting.coupling_scale = scale;
          settings_.push_back(setting);
          tried_.push_back({choice});
        }
      }
    }
    plan_.settings = settings_;
    fits_.resize(settings_.size());
  }

  std::vector<Candidates> candidates() {
    std::vector<Candidates> said = options_.training.candidates;
    if (choice_.values.c && !says_how_weights_are_held(options_.training)) {
      if (is_large()) {
        events_.phase(fmt::format(
            "much data: c = {:g} instead of a search, which --c auto would ask for", kLargeDataC));
        choice_.values.c = kLargeDataC;
      } else {
        said.push_back({"c", {}});
      }
    }
    return resolve(said, choice_, defaults(options_));
  }

  // A search over C takes folds times its size of fits, hours where one takes minutes. The C that
  // stands in for it is in the middle of what searches choose elsewhere.
  bool is_large() const {
    if (options_.method != Method::kBundle || options_.pairwise) return false;
    Index values = 0;
    for (Index i = 0; i < all_->rows.num_rows(); ++i) {
      all_->rows.for_each(i, [&](Index, double) { ++values; });
    }
    return values > kLargeData / data_.num_labels();
  }

  // λ is that of all labels or instances; C means the same for a part of them.
  LearnerChoice with_c(LearnerChoice choice) const {
    LearnerOptions& values = choice.values;
    if (!values.lambda) return choice;
    const bool reverse = options_.method == Method::kBundle && !options_.measure.forward();
    const Index n = reverse ? data_.num_labels() : data_.num_instances();
    values.c = 1 / (*values.lambda * static_cast<double>(n));
    values.lambda.reset();
    return choice;
  }

  // The setting, and thresholds on held-out scores. False: interrupted.
  bool choose() {
    const Stopwatch watch;
    const TrainingOptions& training = options_.training;
    const bool by_dev = dev_ != nullptr && training.folds == 0;
    if (training.path && !by_dev && !go_along()) return false;
    const bool several = plan_.settings.size() > 1;
    if (!several && !needs_held_out(result_.thresholds)) return true;
    make_splits(by_dev);
    return choose_by(several, watch);
  }

  // Without anything to choose by, every setting, of which the last is kept.
  bool go_along() {
    for (best_ = 0; best_ < settings_.size(); ++best_) {
      if (!fit_whole(best_)) return false;
      events_.phase(fmt::format("{}: objective {:.6g} norm {:.6g}", settings_[best_].name,
                                tried_[best_].objective, tried_[best_].norm));
    }
    --best_;
    learned().tried = tried_;
    plan_.settings = {settings_.back()};
    plan_.path_length = plan_.scales = 1;
    return true;
  }

  void make_splits(bool by_dev) {
    plan_.threads = threads_;
    plan_.complete = [this](LabelModel weights) { return complete(std::move(weights)); };
    if (by_dev) {
      plan_.splits = {{all_, dev_rows_}};
      plan_.fit_whole = [this](Index s) { return fit_whole(s); };
      return;
    }
    const Index said = options_.training.folds;
    result_.folds = said > 0 ? said : kStandardFolds;
    plan_.splits = fold_splits(*all_, result_.folds, options_.training.seed);
  }

  bool choose_by(bool several, const Stopwatch& watch) {
    const std::string by = plan_.by_dev() ? "the dev set" : fmt::format("{} folds", result_.folds);
    if (several) {
      const std::string dials = describe_dials(learned().searched);
      events_.phase(
          fmt::format("choosing {} by {}", dials.empty() ? "the scale of couplings" : dials, by));
    }
    std::optional<BestSetting> best =
        choose_by_held_out(plan_, data_.label_names, events_, result_);
    learned().choice_seconds = watch.seconds();
    if (!best) return false;
    held_out_thresholds_ = std::move(best->thresholds);
    if (learned().tried.empty()) take(best->setting, several, by);
    return true;
  }

  void take(Index best, bool several, const std::string& by) {
    best_ = best;
    if (!several) return;
    learned().chosen_by =
        fmt::format("{} {} {}", figure_name(options_.measure), plan_.by_dev() ? "on" : "over", by);
    for (Index s = 0; s < tried_.size(); ++s) tried_[s].figure = result_.cv[s].figure;
    if (!learned().searched.empty()) learned().tried = tried_;
  }

  // With names, and with the scaling that the rows here have been through.
  LabelModel complete(LabelModel weights) const {
    weights.label_names = outline_.label_names;
    weights.feature_names = outline_.feature_names;
    weights.scaling = outline_.scaling;
    return weights;
  }

  // On all instances, into fits_. Nothing where it was interrupted.
  std::optional<LabelModel> fit_whole(Index s) {
    FitSetting setting = settings_[s];
    setting.label_c = result_.label_c;
    FitControl all{*learned().stages,
                   fmt::format("{}/{}", setting.label_c.empty() ? "fit" : "labels", s), threads_,
                   options_.training.seed};
    all.certify_calls = true;
    all.on_epoch = events_.on_epoch;
    all.on_label = [this](Index solved, Index labels) {
      if (events_.on_progress) events_.on_progress(fmt::format("{} of {} labels", solved, labels));
    };
    if (dev_ != nullptr) all.watch = [this](LabelModel model) { return watch(std::move(model)); };
    Fit fit = fit_labels(options_, *all_, setting, all);
    if (fit.interrupted()) return std::nullopt;
    Tried& tried = tried_[s];
    tried.objective = fit.summary().objective;
    tried.gap = fit.summary().gap;
    tried.norm = fit.norm;
    tried.epochs = fit.summary().epochs;
    fits_[s] = std::move(fit);
    return complete(fits_[s]->model);
  }

  // How good a model is on the dev set, with the thresholds that are best there.
  double watch(LabelModel model) const {
    model.thresholds.assign(data_.num_labels(), 0.0);
    const TuningCase held_out =
        make_case(complete(std::move(model)), data_.labels, *dev_rows_, threads_);
    const ThresholdTuning tuning(options_.measure, data_.num_labels(), threads_);
    std::vector<double> thresholds(data_.num_labels(), 0.0);
    if (result_.thresholds != Thresholds::kNone) thresholds = tuning.best(held_out);
    return figure(scores_of(*dev_, tuning.predict(held_out, thresholds)), options_.measure);
  }

  // False: interrupted.
  bool fit_last() {
    const bool known = fits_[best_] && result_.label_c.empty();
    if (!known && !fit_whole(best_)) return false;
    Fit& fit = *fits_[best_];
    learned().choice = settings_[best_].choice;
    learned().fitted = std::move(fit.fitted);
    learned().best_epoch = fit.best_epoch;
    result_.coupling_scale = settings_[best_].coupling_scale;
    result_.lambda = fit.lambda;
    result_.pairwise = fit.pairwise;
    model_ = complete(std::move(fit.model));
    return true;
  }

  void set_thresholds() {
    const TuningCase seen = make_case(model_, data_.labels, *all_, threads_);
    const ThresholdTuning tuning(options_.measure, data_.num_labels(), threads_);
    std::vector<double> training;
    if (needs_training(result_.thresholds)) training = tuning.best(seen);
    const std::vector<double> zero(data_.num_labels(), 0.0);
    const std::vector<double> thresholds =
        combine_thresholds(result_.thresholds, training, held_out_thresholds_, data_.num_labels());
    result_.training_at_zero = scores_of(data_, tuning.predict(seen, zero));
    result_.training = scores_of(data_, tuning.predict(seen, thresholds));
    if (dev_ != nullptr) result_.dev_at_zero = dev_scores();
    model_.thresholds = thresholds;
    if (dev_ != nullptr) result_.dev = dev_scores();
  }

  LabelScores scores_of(const LabelData& data, const LabelSets& given,
                        std::span<const double> scores = {}) const {
    return score_label_sets(data.label_names, data.labels, given, scores,
                            options_.measure.set.beta);
  }

  LabelScores dev_scores() const {
    const Labelling labelling = predict_labels(model_, dev_rows_->rows, threads_);
    return scores_of(*dev_, labelling.labels, labelling.scores);
  }

  const LabelData& data_;
  const LabelData* dev_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  Stopwatch watch_;
  int threads_;
  LearnerChoice choice_;
  TrainResult result_;
  LabelModel outline_;  // names and scaling
  std::shared_ptr<const LabelledRows> all_, dev_rows_;
  std::vector<FitSetting> settings_;
  std::vector<Tried> tried_;  // what came of each
  ChoicePlan plan_;
  std::vector<std::optional<Fit>> fits_;  // on all instances
  Index best_ = 0;                        // the setting that was chosen
  std::vector<double> held_out_thresholds_;
  LabelModel model_;
};

}  // namespace

Trained train(const LabelData& data, const LabelData* dev, const TrainOptions& options,
              const TrainEvents& events) {
  return Training(data, dev, options, events).run();
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  const Stopwatch watch;
  choose_learner(options);  // before anything is read
  ReadOptions reading;
  const std::string labels = files.labels.empty() ? labels_beside(files.data) : files.labels;
  if (files.labels.empty() && !labels.empty()) {
    events.phase(
        fmt::format("{} lies beside the data: it says which attributes are labels (else: "
                    "--labels)",
                    labels));
  }
  if (!labels.empty()) reading.label_names = read_label_names(labels);
  const LabelData data = read_label_data(files.data, reading);
  if (!data.recognised.empty()) events.phase(data.recognised);
  std::optional<LabelData> dev;
  reading.label_names = data.label_names;
  if (!files.dev.empty()) dev = read_label_data(files.dev, reading);
  const double read_seconds = watch.seconds();
  Trained trained = train(data, dev ? &*dev : nullptr, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

}  // namespace trellis::label
