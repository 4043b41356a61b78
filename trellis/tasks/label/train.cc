#include "trellis/tasks/label/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/stopwatch.h"
#include "trellis/fit/dials.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/run_stages.h"
#include "trellis/tasks/label/choosing/held_out_choice.h"
#include "trellis/tasks/label/choosing/thresholds.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/model/model_rows.h"
#include "trellis/tasks/label/train_options.h"

namespace trellis::label {
namespace {

constexpr Index kLargeData = 100'000'000;  // stored values of all instances, times labels
constexpr double kLargeDataC = 0.01;
// What a method may cost at least, and beside the first one, as Fit::work counts it: a second or
// so, or as much as that has cost.
constexpr double kRaceWork = 1.5e9;
// So far below the best figure a method is given up: what other values of C may add to it.
constexpr double kHopeless = 0.01;
constexpr double kHopelessIfCheap = 0.03;

void require_labels(const LabelData& data) {
  if (data.num_instances() == 0) throw InputError(data.file, 0, "expected instances, found none");
  if (data.num_labels() == 0) throw InputError(data.file, 0, "expected labels, found none");
  if (data.labels.ids.empty()) {
    throw InputError(data.file, 0,
                     "expected labelled instances, found no label: there is nothing to learn");
  }
}

class LabelTraining {
 public:
  LabelTraining(const LabelData& data, const LabelData* dev, const TrainOptions& options,
                const TrainEvents& events)
      : data_(data),
        dev_(dev),
        options_(options),
        events_(events),
        threads_(resolve_threads(options.training.threads)) {
    choose_learner(options);
    for (const Method method : methods_of(options)) contenders_.push_back(contender(method));
    require_labels(data_);
    result_.options = options_;
    result_.thresholds = resolve_thresholds(options_);
  }

  Trained run() {
    scale();
    make_walks();
    learned().stages =
        make_stages(contenders_.front().choice, options_.training, identity(), events_);
    if (!choose() || !fit_last()) {
      learned().interrupted = true;
      learned().stages->keep();
      std::optional<LabelModel> best = so_far();
      return {{}, std::move(result_), std::move(best)};
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

  // A method that may be taken, with its learner.
  struct Contender {
    TrainOptions options;
    LearnerChoice choice;
    std::vector<Candidates> searched;
  };
  Contender contender(Method method) const {
    Contender one{options_, {}, {}};
    one.options.method = method;
    one.choice = choose_learner(one.options);
    return one;
  }

  void make_walks() {
    std::vector<double> scales = options_.coupling_scales;
    if (scales.empty()) scales = {1.0};
    for (Contender& one : contenders_) {
      one.searched = candidates(one);
      SettingsWalk walk;
      walk.setting.method = one.options.method;
      walk.setting.newton = by_newton(one.options);
      if (one.options.method == Method::kChain) {
        walk.setting.chain_order =
            chain_order(data_.labels, data_.num_labels(), options_.order, options_.training.seed);
      }
      walk.dial = open_dial(one.searched, options_.training.path);
      if (!plan_.walks.empty()) put_race(one, walk);
      for (const double scale : scales) {
        walk.setting.coupling_scale = scale;
        for (const Path& path : paths_of(one.choice, one.searched)) {
          walk.path = path;
          walk.setting.contender = static_cast<Index>(&one - contenders_.data());
          plan_.walks.push_back(walk);
        }
      }
    }
    plan_.setting_of = [this](const SettingsWalk& walk, const LearnerChoice& values) {
      return setting_of(walk, values);
    };
  }

  // How a method other than the first, the support vector machines, is tried: logistic regression
  // and the bundle from the middle of their grids on, chains from the best C of logistic
  // regression. They are out where their first setting is hopeless; chains and the bundle also at a
  // bound on their work.
  void put_race(const Contender& one, SettingsWalk& walk) const {
    const Method method = one.options.method;
    const bool cheap = method == Method::kLogistic;
    walk.limits.hopeless = cheap ? kHopelessIfCheap : kHopeless;
    if (!cheap) walk.limits.work = kRaceWork;
    walk.from_best = method == Method::kChain;
    walk.begin = walk.from_best ? 0 : one.searched.front().values.size() / 3;
  }

  FitSetting setting_of(const SettingsWalk& walk, const LearnerChoice& values) const {
    FitSetting setting = walk.setting;
    const Contender& one = contenders_[setting.contender];
    const std::string_view method = contenders_.size() > 1 ? to_string(setting.method) : "";
    setting.name = describe(Tried{values, std::string(method)}, one.searched);
    if (options_.coupling_scales.size() > 1) {
      setting.name += fmt::format("{}couplings x {:g}", setting.name.empty() ? "" : ", ",
                                  setting.coupling_scale);
    }
    setting.choice = with_c(values, setting.method);
    return setting;
  }

  std::vector<Candidates> candidates(Contender& one) {
    std::vector<Candidates> said = options_.training.candidates;
    if (one.choice.values.c && !says_how_weights_are_held(options_.training)) {
      if (contenders_.size() == 1 && is_large(one.options)) {
        events_.phase(
            fmt::format("large data set: using c = {:g} without a search (--c auto would search)",
                        kLargeDataC));
        one.choice.values.c = kLargeDataC;
      } else {
        said.push_back({"c", {}});
      }
    }
    return resolve(said, one.choice, defaults(one.options));
  }

  // A search over C takes folds times its size of fits, hours where one takes minutes. The C that
  // stands in for it is in the middle of what searches choose elsewhere.
  bool is_large(const TrainOptions& options) const {
    if (options.method != Method::kBundle || options.pairwise) return false;
    Index values = 0;
    for (Index i = 0; i < all_->rows.num_rows(); ++i) {
      all_->rows.for_each(i, [&](Index, double) { ++values; });
    }
    return values > kLargeData / data_.num_labels();
  }

  // λ is that of all labels or instances; C means the same for a part of them.
  LearnerChoice with_c(LearnerChoice choice, Method method) const {
    LearnerOptions& values = choice.values;
    if (!values.lambda) return choice;
    const bool reverse = method == Method::kBundle && !options_.measure.forward();
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
    const bool several = plan_.several();
    best_ = {setting_of(plan_.walks.front(), plan_.walks.front().path.front()),
             plan_.walks.front().path.front()};
    if (!several && !needs_held_out(result_.thresholds)) return true;
    make_splits(by_dev);
    const bool chosen = choose_by(several);
    learned().choice_seconds = watch.seconds();
    return chosen;
  }

  // Without anything to choose by, every setting, of which the last is kept.
  bool go_along() {
    SettingsWalk last;
    for (const SettingsWalk& walk : plan_.walks) {
      last = walk;
      for (const LearnerChoice& values : walk.path) {
        const FitSetting setting = setting_of(walk, values);
        double work = 0;
        if (!fit_whole(setting, learned().tried.size(), work)) return false;
        learned().tried.push_back(tried_of(values, learned().tried.size()));
        const Tried& tried = learned().tried.back();
        events_.phase(fmt::format("{}: objective {:.6g} norm {:.6g}", setting.name, tried.objective,
                                  tried.norm));
        last.path = {values};
      }
    }
    learned().searched = contenders_.front().searched;
    last_number_ = learned().tried.size() - 1;
    plan_.walks = {last};
    return true;
  }

  void make_splits(bool by_dev) {
    plan_.threads = threads_;
    plan_.complete = [this](LabelModel weights) { return complete(std::move(weights)); };
    if (by_dev) {
      plan_.splits = {{all_, dev_rows_}};
      plan_.fit_whole = [this](const FitSetting& setting, Index number, double& work) {
        return fit_whole(setting, number, work);
      };
      return;
    }
    const Index said = options_.training.folds;
    result_.folds = said > 0 ? said : kStandardFolds;
    plan_.splits = fold_splits(*all_, result_.folds, options_.training.seed);
  }

  bool choose_by(bool several) {
    const std::string by = plan_.by_dev() ? "the dev set" : fmt::format("{} folds", result_.folds);
    if (several) {
      const std::string dials = describe_dials(contenders_.front().searched);
      events_.phase(fmt::format("choosing {}{} by {}",
                                contenders_.size() > 1 ? "the method and " : "",
                                dials.empty() ? "the scale of couplings" : dials, by));
    }
    HeldOutChoice found = choose_by_held_out(plan_, data_.label_names, events_, result_);
    so_far_ = std::move(found.so_far);
    if (!found.tried.empty()) take(found, several, by);
    return !found.interrupted;
  }

  // The choice, and what it was chosen from: the settings of the method that was taken.
  void take(const HeldOutChoice& found, bool several, const std::string& by) {
    best_ = found.tried[found.best];
    held_out_thresholds_ = found.thresholds;
    if (!learned().tried.empty()) return;  // of a path
    last_number_ = best_.number;
    if (!several) return;
    learned().chosen_by =
        fmt::format("{} {} {}", figure_name(options_.measure), plan_.by_dev() ? "on" : "over", by);
    const Contender& taken = contenders_[best_.setting.contender];
    if (contenders_.size() > 1 && !found.interrupted) {
      events_.phase(fmt::format("chose {}", best_.setting.name));
    }
    if (taken.searched.empty()) return;
    learned().searched = taken.searched;
    for (const TriedSetting& one : found.tried) {
      if (one.setting.contender != best_.setting.contender) continue;
      learned().tried.push_back(tried_of(one.values, one.number));
      learned().tried.back().figure = one.figure;
    }
    put_values(found);
  }

  // Of a walk, those that it came to.
  void put_values(const HeldOutChoice& found) {
    for (Candidates& one : learned().searched) {
      if (!one.open) continue;
      std::vector<double> values;
      for (const TriedSetting& tried : found.tried) {
        if (tried.walk == best_.walk) values.push_back(dial(one.dial).number(tried.values.values));
      }
      one.values = values;
    }
  }

  // What an interruption leaves: a model that is not the one of an uninterrupted run.
  std::optional<LabelModel> so_far() {
    if (!so_far_) return std::nullopt;
    learned().choice = best_.setting.choice;
    result_.method = best_.setting.method;
    result_.newton = best_.setting.newton;
    result_.coupling_scale = best_.setting.coupling_scale;
    so_far_->training = provenance(result_);
    so_far_->training["interrupted"] = true;
    return std::move(so_far_);
  }

  // With names, and with the scaling that the rows here have been through.
  LabelModel complete(LabelModel weights) const {
    weights.label_names = outline_.label_names;
    weights.feature_names = outline_.feature_names;
    weights.scaling = outline_.scaling;
    return weights;
  }

  // On all instances, into fits_. Nothing where it was interrupted.
  std::optional<LabelModel> fit_whole(FitSetting setting, Index number, double& work) {
    setting.label_c = result_.label_c;
    FitControl all{*learned().stages,
                   fmt::format("{}/{}", setting.label_c.empty() ? "fit" : "labels", number),
                   threads_, options_.training.seed};
    all.certify = true;
    all.on_epoch = events_.on_epoch;
    all.on_label = [this](Index solved, Index labels) {
      if (events_.on_progress) events_.on_progress(fmt::format("{} of {} labels", solved, labels));
    };
    if (dev_ != nullptr) all.watch = [this](LabelModel model) { return watch(std::move(model)); };
    Fit fit = fit_labels(options_, *all_, setting, all);
    if (fit.interrupted()) return std::nullopt;
    work = fit.work;
    LabelModel model = complete(fit.model);
    fits_.insert_or_assign(number, std::move(fit));
    return model;
  }

  // With what is known of the fit on all instances.
  Tried tried_of(const LearnerChoice& values, Index number) const {
    Tried tried{values};
    const auto found = fits_.find(number);
    if (found == fits_.end()) return tried;
    const Fit& fit = found->second;
    tried.objective = fit.summary().objective;
    tried.gap = fit.summary().gap();
    tried.norm = fit.norm;
    tried.epochs = fit.summary().epochs;
    return tried;
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
    const bool known = fits_.contains(last_number_) && result_.label_c.empty();
    double work = 0;
    if (!known && !fit_whole(best_.setting, last_number_, work)) return false;
    Fit& fit = fits_.at(last_number_);
    learned().choice = best_.setting.choice;
    learned().fitted = std::move(fit.fitted);
    learned().best_epoch = fit.best_epoch;
    result_.method = best_.setting.method;
    result_.newton = best_.setting.newton;
    result_.coupling_scale = best_.setting.coupling_scale;
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
  std::vector<Contender> contenders_;
  TrainResult result_;
  LabelModel outline_;  // names and scaling
  std::shared_ptr<const LabelledRows> all_, dev_rows_;
  ChoicePlan plan_;
  std::map<Index, Fit> fits_;  // on all instances, by the number of the setting
  TriedSetting best_;          // the setting that was chosen
  Index last_number_ = 0;      // of its fit on all instances
  std::optional<LabelModel> so_far_;
  std::vector<double> held_out_thresholds_;
  LabelModel model_;
};

}  // namespace

Trained train(const LabelData& data, const LabelData* dev, const TrainOptions& options,
              const TrainEvents& events) {
  return LabelTraining(data, dev, options, events).run();
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  const Stopwatch watch;
  choose_learner(options);  // before anything is read
  ReadOptions reading;
  const std::string labels = files.labels.empty() ? labels_beside(files.data) : files.labels;
  if (files.labels.empty() && !labels.empty()) {
    events.phase(fmt::format(
        "found {} next to the data: it lists the label attributes (to use another file: --labels)",
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
