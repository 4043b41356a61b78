#include "trellis/tasks/tables/discriminative_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/folds.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/tables/margin_checkpoint.h"

namespace trellis::generative {
namespace {

constexpr double kMassTolerance = 1e-9;
constexpr double kTrialGap = 10;  // factor on the requested gap: enough to compare settings

std::vector<double> uniform_theta(const Distributions& distributions) {
  std::vector<double> theta;
  for (Index i = 0; i < distributions.num(); ++i) {
    theta.resize(distributions.end(i), -portable_log(static_cast<double>(distributions.size(i))));
  }
  return theta;
}

EpochRecord epoch_of(const MarginIteration& one, double seconds) {
  EpochRecord record;
  record.epoch = one.iteration;
  record.objective = one.objective;
  record.bound = one.bound;
  record.passes = 1;
  record.seconds = seconds;
  return record;
}

double seconds_of(const MarginIteration& one) {
  return one.seconds_master + one.seconds_directions + one.seconds_centre;
}

// One training; the methods stand in the order of its steps.
class DiscriminativeRun {
 public:
  DiscriminativeRun(const DiscriminativeTask& task, const EstimatorOptions& options, Stages& stages,
                    const TrainEvents& events)
      : task_(task), options_(options), stages_(stages), events_(events) {
    all_.resize(task.num_examples());
    std::iota(all_.begin(), all_.end(), Index{0});
  }

  DiscriminativeResult run() {
    std::vector<MarginSetting> settings;
    for (const double gamma : options_.gammas()) {
      for (const double eta : options_.etas(all_.size())) settings.push_back({eta, gamma});
    }
    DiscriminativeResult result;
    result.setting = settings.front();
    const Stopwatch watch;
    if (settings.size() > 1 && !choose(settings, result)) return result;
    result.choice_seconds = settings.size() > 1 ? watch.seconds() : 0;
    if (!fit(fmt::format("fit/{}/{}", result.setting.eta, result.setting.gamma), result.setting,
             all_, true, result.fitted)) {
      result.interrupted = true;
      return result;
    }
    summarise(result);
    return result;
  }

 private:
  // Chooses the least mean loss; ties go to the smaller η, which stays closer to the reference
  // tables. Returns false if interrupted.
  bool choose(const std::vector<MarginSetting>& settings, DiscriminativeResult& result) {
    std::vector<std::vector<Index>> folds;
    if (!task_.has_dev()) {
      const Index asked = options_.folds.value_or(kStandardFolds);
      if (asked > task_.num_examples()) {
        throw UsageError(
            fmt::format("{} examples cannot be split into {} folds", task_.num_examples(), asked));
      }
      folds = deal_folds(task_.num_examples(), asked, options_.seed);
    }
    double least = kInfinity;
    for (const MarginSetting& one : settings) {
      Tally tally;
      if (!(task_.has_dev() ? try_on_dev(one, tally) : try_on_folds(one, folds, tally))) {
        result.interrupted = true;
        return false;
      }
      result.trials.push_back({one, tally.mean()});
      events_.phase(fmt::format("{}: held-out loss {:.6g}", one.text(), tally.mean()));
      if (tally.mean() < least || (tally.mean() == least && one.eta < result.setting.eta)) {
        least = tally.mean();
        result.setting = one;
      }
    }
    return true;
  }

  bool try_on_dev(const MarginSetting& setting, Tally& tally) {
    MarginResult fitted;
    if (!fit(fmt::format("try/{}/{}", setting.eta, setting.gamma), setting, all_, false, fitted))
      return false;
    tally = task_.judge_dev(fitted.theta);
    return true;
  }

  bool try_on_folds(const MarginSetting& setting, const std::vector<std::vector<Index>>& folds,
                    Tally& tally) {
    for (Index k = 0; k < folds.size(); ++k) {
      if (events_.on_progress) {
        events_.on_progress(fmt::format("{}: fold {} of {}", setting.text(), k + 1, folds.size()));
      }
      MarginResult fitted;
      const std::vector<Index> rest = without(folds[k], task_.num_examples());
      if (!fit(fmt::format("fold/{}/{}/{}", k, setting.eta, setting.gamma), setting, rest, false,
               fitted)) {
        return false;
      }
      const Tally one = task_.judge(fitted.theta, folds[k]);
      tally.loss += one.loss;
      tally.examples += one.examples;
    }
    return true;
  }

  // The reference tables, which regularise θ.
  std::vector<double> held_to(std::span<const Index> examples) const {
    const std::string towards = options_.towards_or_default();
    std::vector<double> c = towards == "uniform" ? uniform_theta(task_.distributions())
                            : towards == "ml"    ? task_.frequencies(examples)
                                                 : task_.towards();
    for (double& value : c) {
      value = portable_exp(value);
      if (!(value > 0)) {
        throw UsageError(
            fmt::format("the tables of '{}' have a probability of 0: they cannot be reference "
                        "tables (--towards)",
                        towards));
      }
    }
    return c;
  }

  std::vector<double> start(std::span<const Index> examples) const {
    return options_.start_or_default() == Start::kMl ? task_.frequencies(examples)
                                                     : uniform_theta(task_.distributions());
  }

  // Returns false if interrupted.
  bool fit(const std::string& stage, const MarginSetting& setting, std::span<const Index> examples,
           bool last, MarginResult& fitted) {
    Checkpoint end;
    const Index dimension = task_.distributions().dimension();
    const bool finished = stages_.run(
        stage,
        [&](Checkpoint& done, Checkpoint& state) {
          return work(stage, setting, examples, last, done, state);
        },
        end);
    if (!finished) return false;
    fitted = get_result(end, dimension);
    fitted.history = get_history(end);
    return true;
  }

  bool work(const std::string& stage, const MarginSetting& setting, std::span<const Index> examples,
            bool last, Checkpoint& done, Checkpoint& state) {
    std::vector<MarginIteration> history;
    MarginState resumed;
    if (!state.empty()) {
      resumed = get_state(state, task_.distributions().dimension());
      history = get_history(state);
    }
    const auto keep = [&](const std::function<MarginState()>& now) {
      Checkpoint kept;
      put_state(now(), kept);
      put_history(history, kept);
      return kept;
    };
    MarginOptions margin = options_.margin(setting.eta);
    if (!last) margin.gap *= kTrialGap;
    const std::unique_ptr<ExampleLosses> losses = task_.losses(examples, setting.gamma);
    const MarginResult result = train_margin(
        losses->oracle(), task_.distributions(), held_to(examples), start(examples), margin,
        [&](const MarginIteration& one, const std::function<MarginState()>& now) {
          history.push_back(one);
          if (last && events_.on_epoch) events_.on_epoch(epoch_of(one, seconds_of(one)));
          if (stages_.stop_requested()) {
            state = keep(now);
            return false;
          }
          if (stages_.due()) stages_.pause(stage, keep(now));
          return true;
        },
        state.empty() ? nullptr : &resumed);
    if (result.stopped) return false;
    put_result(result, done);
    put_history(history, done);
    return true;
  }

  static void summarise(DiscriminativeResult& result) {
    const MarginResult& fitted = result.fitted;
    LearnSummary& summary = result.summary;
    for (const MarginIteration& one : fitted.history) {
      summary.history.push_back(epoch_of(one, seconds_of(one)));
    }
    summary.termination = fitted.converged ? Termination::kConverged : Termination::kMaxEpochs;
    summary.objective = fitted.objective;
    summary.bound = fitted.bound;
    summary.epochs = fitted.iterations;
    summary.seconds = fitted.history.empty() ? 0 : seconds_of(fitted.history.back());
  }

  const DiscriminativeTask& task_;
  const EstimatorOptions& options_;
  Stages& stages_;
  const TrainEvents& events_;
  std::vector<Index> all_;
};

void put_trials(const DiscriminativeResult& result, Value& record) {
  for (const MarginTrial& trial : result.trials) {
    record["trials"].push_back(Value::record(
        {{"eta", trial.setting.eta}, {"gamma", trial.setting.gamma}, {"loss", trial.loss}}));
  }
}

}  // namespace

std::string MarginSetting::text() const {
  return fmt::format("eta {:.4g}, gamma {:.4g}", eta, gamma);
}

DiscriminativeResult train_discriminative(const DiscriminativeTask& task,
                                          const EstimatorOptions& options, Stages& stages,
                                          const TrainEvents& events) {
  options.check(task.has_dev());
  return DiscriminativeRun(task, options, stages, events).run();
}

void put_discriminative(const DiscriminativeResult& result, Value& record) {
  const MarginResult& fitted = result.fitted;
  record["eta"] = result.setting.eta;
  record["gamma"] = result.setting.gamma;
  record["iterations"] = fitted.iterations;
  record["converged"] = fitted.converged;
  put_trials(result, record);
  if (result.choice_seconds > 0) record["choice_seconds"] = result.choice_seconds;
  record["history"] = Value::list();
  for (const MarginIteration& one : fitted.history) {
    record["history"].push_back(Value::record({{"iteration", one.iteration},
                                               {"centre_changes", one.centre_changes},
                                               {"vertices", one.vertices},
                                               {"objective", one.objective},
                                               {"bound", one.bound},
                                               {"seconds_master", one.seconds_master},
                                               {"seconds_directions", one.seconds_directions},
                                               {"seconds_centre", one.seconds_centre}}));
  }
}

void put_discriminative_provenance(const DiscriminativeResult& result,
                                   const EstimatorOptions& options, Value& training) {
  const MarginOptions margin = options.margin(result.setting.eta);
  const std::string towards = options.towards_or_default();
  training["eta"] = result.setting.eta;
  training["gamma"] = result.setting.gamma;
  training["towards"] = towards == "uniform" || towards == "ml" ? towards : "another model";
  training["divergence"] = to_string(margin.divergence);
  training["start"] = to_string(options.start_or_default());
  if (options.estimator == Estimator::kMaxMargin) {
    training["penalty"] = to_string(options.penalty_or_default());
  }
  training["objective"] = result.fitted.objective;
  training["bound"] = result.fitted.bound;
  training["gap"] = result.fitted.gap;
  training["iterations"] = result.fitted.iterations;
  training["converged"] = result.fitted.converged;
  put_trials(result, training);
}

MissingMass missing_mass(const Distributions& distributions, std::span<const double> theta) {
  MissingMass found;
  for (Index i = 0; i < distributions.num(); ++i) {
    double mass = 0;
    for (Index j = distributions.begin(i); j < distributions.end(i); ++j) {
      mass += portable_exp(theta[j]);
    }
    if (1 - mass <= kMassTolerance) continue;
    ++found.distributions;
    if (1 - mass > found.largest) {
      found.largest = 1 - mass;
      found.where = i;
    }
  }
  return found;
}

}  // namespace trellis::generative
