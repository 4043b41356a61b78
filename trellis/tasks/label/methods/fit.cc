#include "trellis/tasks/label/methods/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/base/stopwatch.h"
#include "trellis/fit/fit.h"
#include "trellis/fit/fit_newton.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/problem/labels/row_products.h"
#include "trellis/tasks/label/methods/binary_model.h"

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

double squared_norm_of(std::span<const double> w) {
  double squares = 0;
  for (const double weight : w) squares += weight * weight;
  return squares;
}

double norm_of(std::span<const double> w) {
  return std::sqrt(squared_norm_of(w));
}

// Of one epoch of a label: Newton's method reads the rows for eight labels at once; a bundle sorts
// all instances by their scores.
double work_of_epoch(const LabelledRows& data, const FitSetting& setting) {
  constexpr double kNewtonShare = 1.5;  // some ten passes, of an eighth each
  constexpr double kSorting = 30;
  double values = 0;
  for (Index i = 0; i < data.rows.num_rows(); ++i) {
    values +=
        static_cast<double>(data.rows.is_dense() ? data.rows.width() : data.rows.ids(i).size());
  }
  if (setting.newton) return kNewtonShare * values;
  const bool sorts = setting.method == Method::kBundle;
  return 2 * values + (sorts ? kSorting * static_cast<double>(data.rows.num_rows()) : 0);
}

double epochs_of(std::span<const LearnSummary> labels) {
  double sum = 0;
  for (const LearnSummary& label : labels) sum += static_cast<double>(label.epochs);
  return sum;
}

LearnSummary summary_of_labels(std::span<const LearnSummary> labels) {
  LearnSummary mean;
  mean.termination = Termination::kConverged;
  mean.objective = mean.bound = 0;
  const auto n = static_cast<double>(labels.size());
  for (const LearnSummary& label : labels) {
    mean.objective += label.objective / n;
    mean.bound += label.bound / n;
    mean.missed += label.missed / n;
    mean.epochs = std::max(mean.epochs, label.epochs);
    mean.termination = worse(mean.termination, label.termination);
  }
  return mean;
}

// weights[k · V + v] = column[k]
void put_column(std::span<const double> column, Index v, Index num_labels,
                std::span<double> weights) {
  for (Index k = 0; k < column.size(); ++k) weights[k * num_labels + v] = column[k];
}

// The weights that label v starts from.
void get_start(const LabelModel* start, Index v, Index num_labels, std::span<double> theta) {
  if (start == nullptr) return;
  const Index rows = start->weights.size() / num_labels;
  for (Index k = 0; k < std::min<Index>(rows, theta.size()); ++k) {
    theta[k] = start->weights[k * num_labels + v];
  }
  for (Index j = rows; j < theta.size(); ++j) {
    theta[j] = start->chain_weights[v * num_labels + start->order[j - rows]];
  }
}

// The runs of labels that have problems of their own: each is a stage, and its weights of features
// go into the model.
class LabelRuns {
 public:
  LabelRuns(const LabelledRows& data, const FitSetting& setting, const FitControl& control)
      : data_(data), setting_(setting), control_(control), summaries_(data.num_labels) {
    fit_.model.weights.assign(data.rows.width() * data.num_labels, 0.0);
    for (LearnSummary& one : summaries_) one.termination = Termination::kInterrupted;
  }

  bool known(Index v) const { return control_.stages.known(stage(v)); }
  std::vector<double> start(Index v, Index dimension) const {
    std::vector<double> theta(dimension, 0.0);
    get_start(control_.start, v, data_.num_labels, theta);
    return theta;
  }

  // Runs `fit` as the stage of label v, which improves theta. For labels, from several threads.
  void run(Index v, std::span<double> theta, const FitFunction& fit) {
    const LearnerChoice choice = choice_of(setting_, v);
    FitCall call{choice, theta, learn_control(control_, 1)};
    call.started = control_.start != nullptr;
    Watched watched;
    if (run_watched(control_.stages, stage(v), fit, call, {}, {}, watched)) {
      summaries_[v] = std::move(watched.fitted.summary);
    }
    put_column(theta.first(data_.rows.width()), v, data_.num_labels, fit_.model.weights);
    const std::lock_guard lock(mutex_);
    ++solved_;
    if (control_.on_label) control_.on_label(solved_, data_.num_labels);
  }

  Fit finish() {
    fit_.fitted.summary = summary_of_labels(summaries_);
    fit_.work = epochs_of(summaries_) * work_of_epoch(data_, setting_);
    return std::move(fit_);
  }

 private:
  std::string stage(Index v) const { return fmt::format("{}/label/{}", control_.stage, v); }

  const LabelledRows& data_;
  const FitSetting& setting_;
  const FitControl& control_;
  std::vector<LearnSummary> summaries_;
  Fit fit_;
  std::mutex mutex_;
  Index solved_ = 0;
};

// All labels in parallel: solve(v, run) calls run(model) once, which returns the weights of the
// label. Stops handing out labels when a stop is requested.
template <class Solve>
Fit run_labels(const LabelledRows& data, const FitSetting& setting, const FitControl& control,
               const Solve& solve) {
  LabelRuns runs(data, setting, control);
  parallel_for(data.num_labels, control.threads, [&](Index v, int) {
    if (control.stages.stop_requested()) return;
    solve(v, [&](const auto& model) {
      std::vector<double> theta = runs.start(v, model.dimension());
      runs.run(v, theta, [&](const FitCall& call) { return trellis::fit(model, call); });
      return theta;
    });
  });
  return runs.finish();
}

// One run for all labels, watched where the control says so. `model_of` makes a model of weights.
template <class Parts, class ModelOf>
Fit run_once(const Parts& parts, const FitSetting& setting, const FitControl& control,
             const ModelOf& model_of) {
  std::vector<double> w(parts.dimension(), 0.0);
  Metric metric;
  if (control.watch) {
    metric = [&](std::span<const double> weights) { return control.watch(model_of(weights)); };
  }
  Watched watched;
  const bool done = run_watched(
      control.stages, control.stage, [&](const FitCall& call) { return fit(parts, call); },
      {setting.choice, w, learn_control(control, control.threads), metric}, metric,
      control.on_epoch, watched);
  Fit result;
  result.fitted = std::move(watched.fitted);
  if (!done) result.fitted.summary.termination = Termination::kInterrupted;
  result.best_epoch = watched.best_epoch;
  result.norm = norm_of(w);
  result.model = model_of(w);
  return result;
}

// The features, and behind them which labels an instance has, in the order of the chain: what the
// label at place j sees is the first D + j columns.
FeatureRows with_labels(const FeatureRows& rows, const LabelSets& labels,
                        std::span<const std::uint32_t> place) {
  FeatureRowsBuilder result(rows.width() + place.size(), rows.is_dense(), rows.num_rows());
  std::vector<std::uint32_t> places;
  for (Index i = 0; i < rows.num_rows(); ++i) {
    places.clear();
    for (const std::uint32_t v : labels[i]) places.push_back(place[v]);
    std::sort(places.begin(), places.end());
    result.begin_row();
    rows.for_each(i, [&](Index k, double x) { result.add(k, static_cast<float>(x)); });
    for (const std::uint32_t j : places) result.add(rows.width() + j, 1);
  }
  return std::move(result).finish();
}

// Binary relevance is a chain in which no label sees another.
class BinaryFit {
 public:
  BinaryFit(const LabelledRows& data, const FitSetting& setting, const FitControl& control)
      : data_(data),
        setting_(setting),
        control_(control),
        order_(setting.chain_order),
        place_(data.num_labels, 0),
        chain_weights_(order_.size() * order_.size(), 0.0) {
    for (Index j = 0; j < order_.size(); ++j) place_[order_[j]] = static_cast<std::uint32_t>(j);
    if (!order_.empty()) wider_ = with_labels(data.rows, data.labels, place_);
    instances_ = reversed(data.labels, data.num_labels);
  }

  Fit run() {
    Fit fit = setting_.newton ? by_newton() : by_learner();
    if (order_.empty()) return fit;
    fit.model.form = ModelForm::kChain;
    fit.model.order = order_;
    fit.model.chain_weights = std::move(chain_weights_);
    return fit;
  }

 private:
  const FeatureRows& rows() const { return order_.empty() ? data_.rows : wider_; }
  Index width(Index v) const { return data_.rows.width() + place_[v]; }

  Fit by_learner() {
    return run_labels(data_, setting_, control_, [&](Index v, const auto& run) {
      std::vector<std::uint8_t> has(rows().num_rows(), 0);
      for (const std::uint32_t i : instances_[v]) has[i] = 1;
      put_chain(v, run(BinaryModel(rows(), has, width(v))));
    });
  }

  // All labels at once. Those that are finished are kept, each in its stage.
  Fit by_newton() {
    const Index num_labels = data_.num_labels;
    LabelRuns runs(data_, setting_, control_);
    std::vector<std::vector<double>> theta(num_labels);
    const auto keep = [&](Index v, LearnSummary summary) {
      runs.run(v, theta[v], [&](const FitCall&) { return Fitted{std::move(summary), {}, 0}; });
      put_chain(v, theta[v]);
    };
    std::vector<BinaryTask> tasks;
    std::vector<Index> label_of;
    for (Index v = 0; v < num_labels; ++v) {
      theta[v] = runs.start(v, width(v));
      if (runs.known(v)) {
        keep(v, {});
        continue;
      }
      tasks.push_back({instances_[v], width(v), *choice_of(setting_, v).values.c, theta[v]});
      label_of.push_back(v);
    }
    LearnControl learn = learn_control(control_, control_.threads);
    learn.stop = control_.stages.stop();
    learn.certify = control_.certify;
    const BinaryLoss loss =
        setting_.method == Method::kSvm ? BinaryLoss::kSquaredHinge : BinaryLoss::kLogistic;
    fit_newton(rows(), tasks, loss, constant_feature(data_.rows), setting_.choice, learn,
               [&](Index task, LearnSummary summary) { keep(label_of[task], std::move(summary)); });
    return runs.finish();
  }

  // The last one, where it is a bias.
  static std::optional<Index> constant_feature(const FeatureRows& rows) {
    if (rows.width() == 0 || rows.num_rows() == 0) return std::nullopt;
    const Index last = rows.width() - 1;
    std::optional<float> same;
    for (Index i = 0; i < rows.num_rows(); ++i) {
      const std::span<const float> x = rows.is_dense() ? rows.dense_row(i) : rows.values(i);
      const bool has = !x.empty() && (rows.is_dense() || rows.ids(i).back() == last);
      if (!has || x.back() == 0 || (same && *same != x.back())) return std::nullopt;
      same = x.back();
    }
    return last;
  }

  void put_chain(Index v, std::span<const double> theta) {
    for (Index j = 0; j < place_[v]; ++j) {
      chain_weights_[v * data_.num_labels + order_[j]] = theta[data_.rows.width() + j];
    }
  }

  const LabelledRows& data_;
  const FitSetting& setting_;
  const FitControl& control_;
  const std::vector<std::uint32_t>& order_;
  std::vector<std::uint32_t> place_;  // of each label in the chain; 0 where there is none
  FeatureRows wider_;
  LabelSets instances_;
  std::vector<double> chain_weights_;
};

Fit fit_reverse(const TrainOptions& options, const LabelledRows& data, const FitSetting& setting,
                const FitControl& control) {
  const LabelSets instances = reversed(data.labels, data.num_labels);
  if (!options.joint) {
    const auto rows = std::make_shared<const RowProducts>(data.rows);  // shared by all labels
    return run_labels(data, setting, control, [&](Index v, const auto& run) {
      run(ReverseLabelModel(rows, {instances[v]}, options.measure.set, options.argmax));
    });
  }
  std::vector<std::span<const std::uint32_t>> sets;
  for (Index v = 0; v < data.num_labels; ++v) sets.push_back(instances[v]);
  const ReverseLabelModel parts(data.rows, std::move(sets), options.measure.set, options.argmax);
  const Index width = data.rows.width();
  return run_once(parts, setting, control, [&](std::span<const double> theta) {
    LabelModel model;
    model.weights.assign(theta.size(), 0.0);
    for (Index v = 0; v < data.num_labels; ++v) {
      put_column(theta.subspan(v * width, width), v, data.num_labels, model.weights);
    }
    return model;
  });
}

Fit fit_unary(const TrainOptions& options, const LabelledRows& data, const FitSetting& setting,
              const FitControl& control) {
  std::vector<std::span<const std::uint32_t>> sets;
  for (Index i = 0; i < data.labels.size(); ++i) sets.push_back(data.labels[i]);
  const LabelSetModel parts(data.rows, data.num_labels, std::move(sets), options.measure.set,
                            options.argmax);
  return run_once(parts, setting, control, [](std::span<const double> w) {
    LabelModel model;
    model.weights.assign(w.begin(), w.end());
    return model;
  });
}

PairwiseLabelOptions pairwise_options(const TrainOptions& options, const FitSetting& setting) {
  PairwiseLabelOptions pairwise;
  pairwise.measure = options.measure.set;
  pairwise.coupling_scale = setting.coupling_scale;
  pairwise.generator =
      options.pairs.exact ? PairwiseGenerator::kExact : PairwiseGenerator::kAlgorithm5;
  if (options.pairs.work > 0) pairwise.limits.work = options.pairs.work;
  pairwise.limits.seconds = options.pairs.call_seconds;
  pairwise.count_certified = options.pairs.algorithm6;
  return pairwise;
}

double share_of(std::uint64_t count, std::uint64_t calls) {
  return calls > 0 ? static_cast<double>(count) / static_cast<double>(calls) : 0;
}

// Of the calls in training, and of one more pass at the weights of the model.
PairwiseFigures figures_of(const PairwiseLabelModel& model, const PairwiseLabelOptions& options,
                           double gamma, std::span<const double> w, int threads) {
  PairwiseFigures figures;
  const PairwiseStatistics calls = model.statistics();
  figures.pairs = model.pairs().size();
  figures.proven_calls = share_of(calls.proven, calls.calls);
  if (options.count_certified) figures.certified_calls = share_of(calls.certified, calls.calls);
  figures.proven_share = model.risk_bounds(gamma, w, options.limits, threads).proven;
  return figures;
}

Fit fit_coupled(const TrainOptions& options, const LabelledRows& data, const FitSetting& setting,
                const FitControl& control) {
  const LabelSetView sets{data.labels.begin, data.labels.ids};
  const PairwiseLabelOptions pairwise = pairwise_options(options, setting);
  const PairwiseLabelModel parts(data.rows, sets, data.num_labels,
                                 frequent_label_pairs(sets, data.num_labels, options.pairs.share),
                                 pairwise);
  std::vector<double> last;  // the weights of the last model
  Fit result = run_once(parts, setting, control, [&](std::span<const double> w) {
    last.assign(w.begin(), w.end());
    LabelModel model;
    model.form = ModelForm::kPairwise;
    model.pairs.assign(parts.pairs().begin(), parts.pairs().end());
    model.couplings = parts.couplings(w);
    const auto unary = w.first(parts.first_pair_weight());
    model.weights.assign(unary.begin(), unary.end());
    model.thresholds.assign(data.num_labels, 0.0);
    return model;
  });
  if (control.certify && !result.interrupted()) {
    result.pairwise = figures_of(parts, pairwise, setting.choice.loss.gamma, last, control.threads);
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> chain_order(const LabelSets& labels, Index num_labels, ChainOrder order,
                                       std::uint64_t seed) {
  std::vector<std::uint32_t> chain(num_labels);
  std::iota(chain.begin(), chain.end(), 0U);
  if (order == ChainOrder::kRandom) {
    const std::vector<Index> permutation = random_permutation(num_labels, Random(seed));
    for (Index j = 0; j < num_labels; ++j) chain[j] = static_cast<std::uint32_t>(permutation[j]);
  } else if (order == ChainOrder::kFrequency) {
    const LabelSets instances = reversed(labels, num_labels);
    std::stable_sort(chain.begin(), chain.end(), [&](std::uint32_t a, std::uint32_t b) {
      return instances[a].size() > instances[b].size();
    });
  }
  return chain;
}

double usual_work(const LabelledRows& data, const FitSetting& setting) {
  constexpr double kUsualEpochs = 20;
  const double epochs = setting.newton ? kUsualEpochs / 4 : kUsualEpochs;
  return epochs * static_cast<double>(data.num_labels) * work_of_epoch(data, setting);
}

Fit fit_labels(const TrainOptions& options, const LabelledRows& data, const FitSetting& setting,
               const FitControl& control) {
  const Stopwatch watch;
  const bool bundle = setting.method == Method::kBundle;
  const bool reverse = bundle && !options.measure.forward();
  Fit fit = !bundle            ? BinaryFit(data, setting, control).run()
            : reverse          ? fit_reverse(options, data, setting, control)
            : options.pairwise ? fit_coupled(options, data, setting, control)
                               : fit_unary(options, data, setting, control);
  if (setting.label_c.empty()) {
    fit.lambda = setting.choice.lambda(reverse ? data.num_labels : data.rows.num_rows());
  }
  if (fit.work == 0) {  // of one run
    fit.work =
        static_cast<double>(fit.summary().epochs * data.num_labels) * work_of_epoch(data, setting);
  }
  fit.model.thresholds.assign(data.num_labels, 0.0);
  if (fit.norm == 0) {
    fit.norm =
        std::sqrt(squared_norm_of(fit.model.weights) + squared_norm_of(fit.model.chain_weights));
  }
  // Of one run: what was before an interruption counts.
  double& seconds = fit.fitted.summary.seconds;
  if (seconds == 0) seconds = watch.seconds();
  return fit;
}

}  // namespace trellis::label
