#include "trellis/frame/training/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "trellis/fit/dials.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/fold_fits.h"
#include "trellis/frame/training/halving.h"
#include "trellis/frame/training/run_stages.h"
#include "trellis/frame/training/walk.h"

namespace trellis {
namespace {

using Clock = std::chrono::steady_clock;

double norm_of(std::span<const double> w) {
  double squares = 0;
  for (const double weight : w) squares += weight * weight;
  return std::sqrt(squares);
}

std::vector<double> start_of(const Trial& trial) {
  const std::span<const double> start = trial.start();
  std::vector<double> w(start.begin(), start.end());
  if (w.empty()) w.assign(trial.dimension(), 0.0);
  return w;
}

FitFunction fit_of(const Trial& trial) {
  return [&trial](const FitCall& call) { return trial.fit(call); };
}

// One call of learn_best().
class Learning {
 public:
  Learning(const std::vector<Variant>& variants, const TaskDefaults& defaults,
           const TrainingOptions& options, const std::string& identity, const TrainEvents& events)
      : variants_(variants), defaults_(defaults), options_(options), events_(events) {
    enter(0);
    const bool has_dev = trainable_->has_dev();
    require_something_to_choose_by(options, has_dev);
    options_ = with_standard_choice(options, learned_.choice, defaults, has_dev,
                                    trainable_->num_examples(), several());
    learned_.searched = resolve(options_.candidates, learned_.choice, defaults);
    std::string names;
    for (Index v = 0; several() && v < variants.size(); ++v) {
      learned_.variants.push_back(variants[v].name);
      names += fmt::format("{}{}:{}", v == 0 ? " variants=" : ";", variants[v].name,
                           variants[v].choice.description());
    }
    learned_.stages = make_stages(learned_.choice, options_, identity + names, events);
  }

  Learned run() {
    learned_.interrupted = !learn();
    if (learned_.interrupted) {
      // A path may have no stage that saved anything yet.
      learned_.stages->keep();
      learned_.best_so_far = best_ && !best_->w.empty();
      if (learned_.best_so_far) take_best();
    }
    return std::move(learned_);
  }

 private:
  bool several() const { return variants_.size() > 1; }
  std::string variant_name() const { return several() ? variants_[learned_.variant].name : ""; }

  void enter(Index variant) {
    if (trainable_ != nullptr && learned_.variant == variant) return;
    learned_.variant = variant;
    learned_.choice = variants_[variant].choice;
    trainable_.reset();  // first, since two may not fit into memory
    trainable_ = variants_[variant].make();
  }

  bool learn() {
    if (learned_.searched.empty() && !several()) {
      const bool done = fit_whole(learned_.choice, "fit");
      if (done && trainable_->has_dev()) learned_.tally = trainable_->whole().tally(learned_.w);
      return done;
    }
    const Clock::time_point begin = Clock::now();
    const bool by_folds = options_.folds > 0 && !options_.path;
    const bool done = by_folds ? try_in_folds() : try_on_dev();
    learned_.choice_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!done) return false;
    if (!by_folds) return true;
    // The optimum for all examples is near that for the examples outside one fold.
    const bool near = judged() == 1 && best_->choice.converges();
    return fit_whole(learned_.choice, "fit", near ? best_->w : std::vector<double>());
  }

  Metric metric(const Trial& trial) const {
    if (!trainable_->has_dev()) return {};
    return [this, &trial](std::span<const double> w) { return trainable_->figure(trial.tally(w)); };
  }

  LearnControl control(int threads) const {
    LearnControl control;
    control.threads = threads;
    control.seed = options_.seed;
    return control;
  }

  // Fits all examples into learned_, from `from`, unless that is empty or for other features.
  bool fit_whole(const LearnerChoice& choice, const std::string& stage,
                 std::vector<double> from = {}) {
    const Trial& trial = trainable_->whole();
    const Metric judge = metric(trial);
    if (from.size() != trial.dimension()) from.clear();
    const bool started = !from.empty() || !trial.start().empty();
    std::vector<double> w = from.empty() ? start_of(trial) : std::move(from);
    FitCall call{choice, w, control(options_.threads), judge, {}, started};
    Watched watched;
    const bool done =
        run_watched(*learned_.stages, stage, fit_of(trial), call, judge, events_.on_epoch, watched);
    learned_.fitted = std::move(watched.fitted);
    learned_.best_epoch = watched.best_epoch;
    end_ = watched.end.empty() ? w : std::move(watched.end);
    learned_.w = std::move(w);
    return done;
  }

  // The settings of a variant.
  std::vector<Path> paths() const {
    TaskDefaults defaults = defaults_;
    const std::vector<double>& grid = variants_[learned_.variant].grid;
    if (!grid.empty()) defaults.grid = grid;
    return paths_of(learned_.choice, resolve(options_.candidates, learned_.choice, defaults));
  }
  // Values of the other hyperparameters are evaluated at the best C alone: to repeat every C would
  // take as long again for each value.
  Path path_to_try(const std::vector<Path>& all, Index p) const {
    if (p == 0 || !options_.besides) return all[p];
    LearnerChoice setting = all[p].front();
    const std::string along = open_dial();
    dial(along).set(setting.values, dial(along).number(best_->choice.values));
    return {setting};
  }
  std::string path_stage(Index p) const {
    return several() ? fmt::format("variant/{}/path/{}", learned_.variant, p)
                     : fmt::format("path/{}", p);
  }
  std::string what_is_chosen() const {
    std::string what = describe_dials(learned_.searched);
    if (several()) what = (what.empty() ? "" : what + " and ") + "the variant";
    return what;
  }

  // Evaluates every setting on all examples. Keeps the best by the dev set, or the last one if
  // there is no dev set (a path).
  bool try_on_dev() {
    learned_.chosen_by = trainable_->has_dev()
                             ? fmt::format("{} on the dev set", trainable_->figure_name())
                             : "the end of the path";
    for (Index v = 0; v < variants_.size(); ++v) {
      enter(v);
      const std::vector<Path> all = paths();
      for (Index p = 0; p < all.size(); ++p) {
        if (!walk_on_dev(path_to_try(all, p), path_stage(p))) return false;
      }
    }
    take_best();
    tell_choice();
    return true;
  }

  bool walk_on_dev(const Path& path, const std::string& stages) {
    Walk walk(path, open_dial(), options_.behind_peak);
    const Index first = learned_.tried.size();
    while (const auto k = walk.next()) {
      const LearnerChoice setting = walk.settings()[*k];
      const bool warm = walk.follows(*k) && setting.converges();
      if (!fit_whole(setting, fmt::format("{}/{}", stages, *k),
                     warm ? std::move(end_) : std::vector<double>())) {
        return false;
      }
      if (*k > 0) learned_.stages->drop(fmt::format("{}/{}", stages, *k - 1), "end");
      const Tried tried = outcome(setting);
      learned_.tried.push_back(tried);
      tell(tried);
      walk.judge(tried.figure);
      if (best_ && trainable_->has_dev() && !better(tried.figure)) continue;
      best_figure_ = tried.figure;
      best_ = {setting,    learned_.variant, learned_.fitted, learned_.best_epoch,
               learned_.w, learned_.tally};
    }
    end_walk(walk, first);
    return true;
  }

  Tried outcome(const LearnerChoice& setting) {
    Tried tried{setting, variant_name()};
    const LearnSummary& summary = learned_.fitted.summary;
    tried.objective = summary.objective;
    tried.gap = summary.gap();
    tried.norm = norm_of(learned_.w);
    tried.epochs = summary.epochs;
    if (trainable_->has_dev()) {
      learned_.tally = trainable_->whole().tally(learned_.w);
      tried.figure = trainable_->figure(learned_.tally);
    }
    return tried;
  }

  std::string open_dial() const { return trellis::open_dial(learned_.searched, options_.path); }

  // Sorts the settings of a walk, which begin at `first`, from strong to weak (it may have visited
  // those beyond the strong end last), and stores its values among the searched ones.
  void end_walk(const Walk& walk, Index first) {
    const std::string along = open_dial();
    if (along.empty() || walk.settings().size() < 2) return;
    const std::vector<double> values = walk.values();
    const std::vector<Tried> walked(learned_.tried.begin() + static_cast<std::ptrdiff_t>(first),
                                    learned_.tried.end());
    const std::vector<Index> order = walk.order();
    for (Index k = 0; k < order.size(); ++k) learned_.tried[first + k] = walked[order[k]];
    for (Candidates& one : learned_.searched) {
      // Of several walks the longest counts: a better value may lie beyond its ends.
      if (one.dial == along && (first == 0 || values.size() > one.values.size())) {
        one.values = values;
      }
    }
  }

  // How many of the folds are held out, one after another.
  Index judged() const {
    return options_.judged_folds > 0 ? std::min(options_.judged_folds, options_.folds)
                                     : options_.folds;
  }

  // Sums the tallies of all folds for each setting; the folds run side by side.
  bool try_in_folds() {
    const std::string_view figure = trainable_->figure_name();
    const std::string by =
        judged() == 1
            ? fmt::format("a held-out part of 1 in {} of the training set", options_.folds)
            : fmt::format("{} folds of the training set", judged());
    learned_.chosen_by = judged() == 1 ? fmt::format("{} on {}", figure, by)
                                       : fmt::format("{} over {} folds", figure, judged());
    events_.phase(fmt::format("choosing {} by {}", what_is_chosen(), by));
    std::vector<Index> racing(variants_.size());
    std::iota(racing.begin(), racing.end(), Index{0});
    held_ = halves() ? 1 : judged();
    while (true) {
      std::vector<double> standings;
      for (const Index v : racing) {
        if (!try_variant_in_folds(v)) return false;
        standings.push_back(best_figure_of(variant_name()));
      }
      if (held_ == judged()) break;
      racing = better_half(racing, standings);
      for (Index v = 0; v < variants_.size(); ++v) {
        if (std::find(racing.begin(), racing.end(), v) != racing.end()) continue;
        learned_.stages->drop_all(fmt::format("variant/{}/", v), "w");
      }
      held_ = racing.size() == 1 ? judged() : std::min(2 * held_, judged());
      best_figure_ = kUnknown;  // metrics of fewer folds are not comparable
      tell_racing(racing);
    }
    enter(best_->variant);
    take_best();
    tell_choice();
    return true;
  }

  // Successive halving: all variants on one fold, the better half on two, …, the last on all.
  // False: folds are too small, or there are two variants; then all variants run on all folds.
  bool halves() const {
    return variants_.size() > 2 && judged() > 1 &&
           trainable_->num_examples() >= defaults_.halving_fold * options_.folds;
  }

  void tell_racing(const std::vector<Index>& racing) const {
    std::string names;
    for (const Index v : racing) names += (names.empty() ? "" : ", ") + variants_[v].name;
    events_.phase(fmt::format("continuing with {} folds for {}", held_, names));
  }

  // Evaluates on the first held_ folds. Replaces the results on fewer folds.
  bool try_variant_in_folds(Index v) {
    enter(v);
    std::erase_if(learned_.tried, [&](const Tried& one) { return one.variant == variant_name(); });
    const std::vector<Path> all = paths();
    const Index settings = all.size() * all.front().size();
    FoldFits fits(*learned_.stages, events_, options_.threads,
                  open_dial().empty() ? settings * held_ : 0);
    for (Index p = 0; p < all.size(); ++p) {
      if (!walk_in_folds(path_to_try(all, p), path_stage(p), fits)) return false;
    }
    const auto place = [&](const Tried& one) {
      return std::find(learned_.variants.begin(), learned_.variants.end(), one.variant);
    };
    std::stable_sort(learned_.tried.begin(), learned_.tried.end(),
                     [&](const Tried& a, const Tried& b) { return place(a) < place(b); });
    return true;
  }

  double best_figure_of(std::string_view variant) const {
    double best = kUnknown;
    for (const Tried& one : learned_.tried) {
      if (one.variant == variant && !(one.figure <= best)) best = one.figure;
    }
    return best;
  }

  // The best setting so far. With folds its weights are those of the first fold; empty if those
  // have other features than all examples.
  struct Best {
    LearnerChoice choice;
    Index variant = 0;
    Fitted fitted;
    Index best_epoch = 0;
    std::vector<double> w, tally;
  };
  // The state of one fold along a path.
  struct FoldRun {
    std::unique_ptr<Trial> trial;
    std::vector<double> w;
    std::vector<double> tally;
    std::string stage;        // the last one
    bool weightless = false;  // its weights were dropped
  };

  // Stages of an automatic walk are named by value: with more folds, setting k may be another one.
  std::string fold_stage(const std::string& stages, Index fold, Index k,
                         const LearnerChoice& setting) const {
    const std::string along = open_dial();
    const std::string name = along.empty() ? fmt::format("{}", k)
                                           : fmt::format("{}", dial(along).number(setting.values));
    return fmt::format("{}/fold/{}/{}", stages, fold, name);
  }

  bool walk_in_folds(const Path& path, const std::string& stages, FoldFits& fits) {
    // A variant that may be eliminated needs no settings far behind its peak.
    Walk walk(path, open_dial(), held_ < judged() ? 1 : options_.behind_peak);
    const Index first = learned_.tried.size();
    std::vector<FoldRun> runs(held_);
    while (const auto k = walk.next()) {
      const LearnerChoice setting = walk.settings()[*k];
      const bool all_done = fits.run(held_, [&](Index fold, int threads) {
        const bool done = step(setting, stages, fold, *k, walk.follows(*k), threads, runs[fold]);
        if (done) fits.count();
        return done;
      });
      if (!all_done) return false;
      std::vector<double> sum = runs.front().tally;
      for (Index fold = 1; fold < runs.size(); ++fold) add(runs[fold].tally, sum);
      judge(setting, sum, runs.front());
      walk.judge(learned_.tried.back().figure);
    }
    end_walk(walk, first);
    return true;
  }

  // Fits a fold with setting k of a path: from its current weights, or from its start.
  bool step(const LearnerChoice& setting, const std::string& stages, Index fold, Index k,
            bool follows, int threads, FoldRun& run) {
    if (run.trial == nullptr) run.trial = trainable_->fold(fold, options_.folds);
    const bool warm = follows && setting.converges();
    if (!warm) run.w = start_of(*run.trial);
    const LearnerChoice good_enough = loosened(setting);
    FitCall call{good_enough, run.w, control(threads), {}, {}, warm || !run.trial->start().empty()};
    const std::string stage = fold_stage(stages, fold, k, setting);
    Watched watched;
    if (!run_watched(*learned_.stages, stage, fit_of(*run.trial), call, {}, {}, watched)) {
      return false;
    }
    if (k > 0) drop_weights(run.stage);
    run.stage = stage;
    run.weightless = watched.weightless;
    run.tally = tally_of(*run.trial, stage, run.w);
    return true;
  }

  // Settings that are only compared may be farther from the optimum than the final fit, unless the
  // user gave a gap.
  LearnerChoice loosened(const LearnerChoice& setting) const {
    LearnerChoice loose = setting;
    const bool said = options_.learner.gap || options_.learner.certify ||
                      std::any_of(options_.candidates.begin(), options_.candidates.end(),
                                  [](const Candidates& one) { return one.dial == "gap"; });
    if (!said && loose.gap() > 0) {
      loose.values.gap = std::max(loose.gap(), defaults_.gap_to_compare);
    }
    if (!options_.learner.delta && loose.values.delta) {
      loose.values.delta = std::max(*loose.values.delta, defaults_.delta_to_compare);
    }
    return loose;
  }

  // Keeps the weights of the best setting so far. With halving, keeps all: a walk with more folds
  // may continue from them.
  void drop_weights(const std::string& stage) {
    if (stage != best_stage_ && !halves()) learned_.stages->drop(stage, "w");
  }

  static void add(std::span<const double> more, std::vector<double>& sum) {
    for (Index j = 0; j < sum.size(); ++j) sum[j] += more[j];
  }

  // A stage of its own, because the weights are dropped and the tally is not.
  std::vector<double> tally_of(const Trial& trial, const std::string& stage,
                               std::span<const double> w) {
    Checkpoint result;
    learned_.stages->run(
        stage + "/tally",
        [&](Checkpoint& found, Checkpoint&) {
          found.put("tally", trial.tally(w));
          return true;
        },
        result);
    return result.doubles("tally");
  }

  void judge(const LearnerChoice& setting, std::span<const double> tally, const FoldRun& first) {
    Tried tried{setting, variant_name()};
    tried.figure = trainable_->figure(tally);
    if (held_ < judged()) tried.folds = held_;
    tell(tried);
    if (!best_ || better(tried.figure)) {
      best_figure_ = tried.figure;
      best_ = {setting, learned_.variant, {}, 0, {}, {tally.begin(), tally.end()}};
      const bool same = !first.weightless && first.trial->means_the_same() &&
                        first.w.size() == trainable_->whole().dimension();
      if (same) best_->w = first.w;
      const std::string worse = std::exchange(best_stage_, first.stage);
      if (!worse.empty()) drop_weights(worse);
    }
    learned_.tried.push_back(std::move(tried));
  }

  // Ties go to the first, which is the most strongly regularised; NaN is never better.
  bool better(double figure) const {
    return figure > best_figure_ || (std::isnan(best_figure_) && !std::isnan(figure));
  }

  // Stores the best setting so far in learned_.
  void take_best() {
    learned_.choice = best_->choice;
    learned_.variant = best_->variant;
    learned_.fitted = best_->fitted;
    learned_.best_epoch = best_->best_epoch;
    learned_.w = best_->w;
    learned_.tally = best_->tally;
  }

  void tell(const Tried& tried) const {
    std::string text = figure_text(tried, learned_.searched, trainable_->figure_name());
    if (options_.path) {
      text += fmt::format(" objective {:.6g} norm {:.6g}", tried.objective, tried.norm);
    }
    events_.phase(text);
  }

  void tell_choice() const {
    if (options_.path && !trainable_->has_dev()) return;  // nothing was chosen
    events_.phase(choice_text(learned_.chosen(), learned_.tried, learned_.searched));
  }

  const std::vector<Variant>& variants_;
  const TaskDefaults& defaults_;
  TrainingOptions options_;
  const TrainEvents& events_;
  std::shared_ptr<const Trainable> trainable_;  // that of variant learned_.variant
  Learned learned_;
  std::vector<double> end_;   // last weights of the last run on all examples
  std::optional<Best> best_;  // so far
  std::string best_stage_;    // with folds: the stage with its weights
  double best_figure_ = 0;
  Index held_ = 0;  // folds that now evaluate each variant
};

}  // namespace

Learned learn(const Trainable& trainable, const LearnerChoice& choice, const TaskDefaults& defaults,
              const TrainingOptions& options, const std::string& identity,
              const TrainEvents& events) {
  const auto same = [&] {
    return std::shared_ptr<const Trainable>(&trainable, [](const auto*) {});
  };
  return learn_best({{"", choice, same}}, defaults, options, identity, events);
}

Learned learn_best(const std::vector<Variant>& variants, const TaskDefaults& defaults,
                   const TrainingOptions& options, const std::string& identity,
                   const TrainEvents& events) {
  return Learning(variants, defaults, options, identity, events).run();
}

}  // namespace trellis
