#include "trellis/tasks/training/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/fit/dials.h"
#include "trellis/tasks/training/walk.h"

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

// Whether there are values beyond one that is the last of its list, below it or above.
bool goes_on(const Dial& dial, const std::vector<double>& values, double last) {
  const double beyond =
      last == *std::min_element(values.begin(), values.end()) ? last / 2 : last * 2;
  if (beyond == last) return false;  // 0
  try {
    LearnerOptions in_range;
    dial.set(in_range, beyond);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

FitFunction fit_of(const Trial& trial) {
  return [&trial](const FitCall& call) { return trial.fit(call); };
}

class Training {
 public:
  Training(const Trainable& trainable, const LearnerChoice& choice, const TaskDefaults& defaults,
           const TrainingOptions& options, const std::string& identity, const TrainEvents& events)
      : trainable_(trainable), options_(options), events_(events) {
    learned_.choice = choice;
    learned_.searched = resolve(options.candidates, choice, defaults);
    learned_.stages = make_stages(choice, options, identity, events);
  }

  Learned run() {
    learned_.interrupted = !learn();
    // Not every path has come to a stage that would have been saved.
    if (learned_.interrupted) learned_.stages->keep();
    return std::move(learned_);
  }

 private:
  bool learn() {
    if (learned_.searched.empty()) return fit_whole(learned_.choice, "fit");
    const Clock::time_point begin = Clock::now();
    const bool by_folds = options_.folds > 0 && !options_.path;
    const bool done = by_folds ? try_in_folds() : try_on_dev();
    learned_.choice_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!done) return false;
    return !by_folds || fit_whole(learned_.choice, "fit");
  }

  Metric metric(const Trial& trial) const {
    if (!trainable_.has_dev()) return {};
    return [this, &trial](std::span<const double> w) { return trainable_.figure(trial.tally(w)); };
  }

  LearnControl control(int threads) const {
    LearnControl control;
    control.threads = threads;
    control.seed = options_.seed;
    return control;
  }

  // On all examples, into learned_; from `from`, unless that is empty.
  bool fit_whole(const LearnerChoice& choice, const std::string& stage,
                 std::vector<double> from = {}) {
    const Trial& trial = trainable_.whole();
    const Metric judge = metric(trial);
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

  // Every setting on all examples; the best by the dev set is kept, or, where there is none (a
  // path), the last.
  bool try_on_dev() {
    learned_.chosen_by = trainable_.has_dev()
                             ? fmt::format("{} on the dev set", trainable_.figure_name())
                             : "the end of the path";
    const std::vector<Path> paths = paths_of(learned_.choice, learned_.searched);
    std::optional<Learned> best;
    for (Index p = 0; p < paths.size(); ++p) {
      Walk walk(paths[p], open_dial());
      const Index first = learned_.tried.size();
      while (const auto k = walk.next()) {
        const LearnerChoice setting = walk.settings()[*k];
        const bool warm = walk.follows(*k) && setting.converges();
        if (!fit_whole(setting, fmt::format("path/{}/{}", p, *k),
                       warm ? std::move(end_) : std::vector<double>())) {
          return false;
        }
        if (*k > 0) learned_.stages->drop(fmt::format("path/{}/{}", p, *k - 1), "end");
        const Tried tried = outcome(setting);
        learned_.tried.push_back(tried);
        tell(tried);
        walk.judge(tried.figure);
        if (best && trainable_.has_dev() && !better(tried.figure)) continue;
        best_figure_ = tried.figure;
        best = learned_;
        best->choice = setting;
      }
      end_walk(walk, first);
    }
    best->tried = std::move(learned_.tried);
    best->searched = std::move(learned_.searched);
    learned_ = *std::move(best);
    tell_choice();
    return true;
  }

  Tried outcome(const LearnerChoice& setting) const {
    Tried tried{setting};
    const LearnSummary& summary = learned_.fitted.summary;
    tried.objective = summary.objective;
    tried.gap = summary.gap;
    tried.norm = norm_of(learned_.w);
    tried.epochs = summary.epochs;
    if (trainable_.has_dev()) {
      tried.figure = trainable_.figure(trainable_.whole().tally(learned_.w));
    }
    return tried;
  }

  // The dial whose values are automatic along the paths; of --path, which shows all, none.
  std::string open_dial() const {
    for (const Candidates& one : learned_.searched) {
      if (one.open && !options_.path) return one.dial;
    }
    return {};
  }

  // Puts those that a walk has tried, from `first` on, in its order from strong to weak (it may
  // have gone beyond the strong end last), and its values into what was searched.
  void end_walk(const Walk& walk, Index first) {
    const std::string along = open_dial();
    if (along.empty()) return;
    const std::vector<double> values = walk.values();
    const auto place = [&](const Tried& one) {
      return std::find(values.begin(), values.end(), dial(along).number(one.setting.values));
    };
    std::sort(learned_.tried.begin() + static_cast<std::ptrdiff_t>(first), learned_.tried.end(),
              [&](const Tried& a, const Tried& b) { return place(a) < place(b); });
    for (Candidates& one : learned_.searched) {
      // Of several walks the longest: its ends are where a better value may lie beyond.
      if (one.dial == along && (first == 0 || values.size() > one.values.size())) {
        one.values = values;
      }
    }
  }

  // For each setting the tallies of all folds together. Of lists the paths of all folds run side by
  // side; in an automatic walk the folds do, setting by setting.
  bool try_in_folds() {
    learned_.chosen_by = fmt::format("{} over {} folds", trainable_.figure_name(), options_.folds);
    events_.phase(fmt::format("choosing {} by {} folds of the training set",
                              describe_dials(learned_.searched), options_.folds));
    const std::vector<Path> paths = paths_of(learned_.choice, learned_.searched);
    const bool done = open_dial().empty() ? go_along_all(paths) : walk_all(paths);
    if (done) tell_choice();
    return done;
  }

  // A fold on its way along a path.
  struct FoldRun {
    std::unique_ptr<Trial> trial;
    std::vector<double> w;
    std::vector<double> tally;
  };

  bool go_along_all(const std::vector<Path>& paths) {
    const Index jobs = paths.size() * options_.folds;
    std::vector<std::vector<std::vector<double>>> tallies(jobs);
    FoldFits fits(*learned_.stages, events_, options_.threads, jobs * paths.front().size());
    const bool done = fits.run(jobs, [&](Index job, int threads) {
      const Path& path = paths[job / options_.folds];
      FoldRun run;
      for (Index k = 0; k < path.size(); ++k) {
        if (!step(path[k], job / options_.folds, job % options_.folds, k, k > 0, threads, run)) {
          return false;
        }
        tallies[job].push_back(run.tally);
        fits.count();
      }
      return true;
    });
    if (!done) return false;
    for (Index p = 0; p < paths.size(); ++p) {
      for (Index k = 0; k < paths[p].size(); ++k) {
        std::vector<double> sum = tallies[p * options_.folds][k];
        for (Index fold = 1; fold < options_.folds; ++fold) {
          add(tallies[p * options_.folds + fold][k], sum);
        }
        judge(paths[p][k], sum);
      }
    }
    return true;
  }

  bool walk_all(const std::vector<Path>& paths) {
    FoldFits fits(*learned_.stages, events_, options_.threads, 0);
    for (Index p = 0; p < paths.size(); ++p) {
      Walk walk(paths[p], open_dial());
      const Index first = learned_.tried.size();
      std::vector<FoldRun> runs(options_.folds);
      while (const auto k = walk.next()) {
        const LearnerChoice setting = walk.settings()[*k];
        const bool all_done = fits.run(options_.folds, [&](Index fold, int threads) {
          const bool done = step(setting, p, fold, *k, walk.follows(*k), threads, runs[fold]);
          if (done) fits.count();
          return done;
        });
        if (!all_done) return false;
        std::vector<double> sum = runs.front().tally;
        for (Index fold = 1; fold < runs.size(); ++fold) add(runs[fold].tally, sum);
        judge(setting, sum);
        walk.judge(learned_.tried.back().figure);
      }
      end_walk(walk, first);
    }
    return true;
  }

  // Fits a fold with the k-th setting of path p, from where it is or from its start.
  bool step(const LearnerChoice& setting, Index p, Index fold, Index k, bool follows, int threads,
            FoldRun& run) {
    if (run.trial == nullptr) run.trial = trainable_.fold(fold, options_.folds);
    const bool warm = follows && setting.converges();
    if (!warm) run.w = start_of(*run.trial);
    FitCall call{setting, run.w, control(threads), {}, {}, warm || !run.trial->start().empty()};
    const auto stage = [&](Index at) { return fmt::format("path/{}/fold/{}/{}", p, fold, at); };
    Watched watched;
    if (!run_watched(*learned_.stages, stage(k), fit_of(*run.trial), call, {}, {}, watched)) {
      return false;
    }
    if (k > 0) learned_.stages->drop(stage(k - 1), "w");
    run.tally = tally_of(*run.trial, stage(k), run.w);
    return true;
  }

  static void add(std::span<const double> more, std::vector<double>& sum) {
    for (Index j = 0; j < sum.size(); ++j) sum[j] += more[j];
  }

  // Kept as a stage of its own, since the weights are not.
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

  void judge(const LearnerChoice& setting, std::span<const double> tally) {
    Tried tried{setting};
    tried.figure = trainable_.figure(tally);
    tell(tried);
    if (learned_.tried.empty() || better(tried.figure)) {
      best_figure_ = tried.figure;
      learned_.choice = setting;
    }
    learned_.tried.push_back(std::move(tried));
  }

  // Of equal figures the first, which holds the weights most strongly; a NaN beats nothing.
  bool better(double figure) const {
    return figure > best_figure_ || (std::isnan(best_figure_) && !std::isnan(figure));
  }

  void tell(const Tried& tried) const {
    std::string text = describe_setting(tried.setting, learned_.searched) + ":";
    if (std::isfinite(tried.figure)) {
      text += fmt::format(" {} {:.6g}", trainable_.figure_name(), tried.figure);
    }
    if (options_.path) {
      text += fmt::format(" objective {:.6g} norm {:.6g}", tried.objective, tried.norm);
    }
    events_.phase(text);
  }

  void tell_choice() const {
    if (options_.path && !trainable_.has_dev()) return;  // nothing was chosen
    std::string text = "chose " + describe_setting(learned_.choice, learned_.searched);
    for (const Candidates& one : learned_.searched) {
      const double value = dial(one.dial).number(learned_.choice.values);
      const bool last = value == one.values.front() || value == one.values.back();
      if (one.values.size() > 1 && last && goes_on(dial(one.dial), one.values, value)) {
        text +=
            fmt::format(" ({} is the last of those tried: more beyond it may be better)", one.dial);
      }
    }
    events_.phase(text);
  }

  const Trainable& trainable_;
  const TrainingOptions& options_;
  const TrainEvents& events_;
  Learned learned_;
  std::vector<double> end_;  // of the last run on all examples, whichever epoch's were kept
  double best_figure_ = 0;
};

std::string identity_of(const LearnerChoice& choice, const TrainingOptions& options,
                        const std::string& identity) {
  std::string text = fmt::format("{} {} folds={} path={} seed={}", identity, choice.description(),
                                 options.folds, options.path, options.seed);
  for (const Candidates& one : options.candidates) {
    text += fmt::format(" {}:{}", one.dial, fmt::join(one.values, ","));
  }
  return text;
}

}  // namespace

bool FoldFits::run(Index jobs, const std::function<bool(Index job, int threads)>& work) const {
  const int share = std::max(1, threads_ / static_cast<int>(jobs));
  std::atomic<bool> stopped = false;
  parallel_for(jobs, threads_, [&](Index job, int) {
    if (stages_.stop_requested() || !work(job, share)) stopped = true;
  });
  return !stopped;
}

void FoldFits::count() {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (events_.on_progress) {
    const std::string of = fits_ > 0 ? fmt::format(" of {}", fits_) : "";
    events_.on_progress(fmt::format("cross-validation: {}{} fits", done_, of));
  }
}

void require_something_to_choose_by(const TrainingOptions& options, bool has_dev) {
  if (options.folds == 1) throw UsageError("cross-validation needs at least 2 folds");
  if (options.folds > 0 && has_dev && !options.candidates.empty()) {
    throw UsageError("settings are chosen by --dev or by --cv, not by both");
  }
  for (const Candidates& one : options.candidates) {
    for (const Dial& other : dials()) {
      const bool same = dial(one.dial).holds_weights() && other.holds_weights();
      if (!same || other.name == one.dial || !other.said(options.learner)) continue;
      throw UsageError(
          fmt::format("--{} and --{} say the same: give one of them", one.dial, other.name));
    }
  }
  if (options.candidates.empty() || options.path || has_dev || options.folds > 0) return;
  throw UsageError(fmt::format(
      "to choose from several values of --{}, held-out data is needed: --dev FILE or --cv K",
      options.candidates.front().dial));
}

void refuse_voters(const LearnerChoice& choice, const TrainingOptions& options,
                   const TaskDefaults& defaults, std::string_view model) {
  for (const Path& path : paths_of(choice, resolve(options.candidates, choice, defaults))) {
    for (const LearnerChoice& setting : path) {
      if (setting.values.voters.value_or(0) == 0) continue;
      throw UsageError(fmt::format("{} has one vector of weights: it cannot keep voters", model));
    }
  }
}

bool says_how_weights_are_held(const TrainingOptions& options) {
  const LearnerOptions& said = options.learner;
  return said.c || said.lambda || said.radius ||
         std::any_of(options.candidates.begin(), options.candidates.end(),
                     [](const Candidates& one) { return dial(one.dial).holds_weights(); });
}

std::shared_ptr<Stages> make_stages(const LearnerChoice& choice, const TrainingOptions& options,
                                    const std::string& identity, const TrainEvents& events) {
  StagesOptions stages;
  stages.checkpoint = options.checkpoint;
  stages.resume = options.resume;
  stages.save_every = options.save_every;
  stages.stop = events.stop;
  auto made = std::make_shared<Stages>(std::move(stages), identity_of(choice, options, identity));
  if (options.resume && !made->resumed()) {
    events.phase(fmt::format("there is no checkpoint {}: starting afresh", options.checkpoint));
  }
  return made;
}

Learned learn(const Trainable& trainable, const LearnerChoice& choice, const TaskDefaults& defaults,
              const TrainingOptions& options, const std::string& identity,
              const TrainEvents& events) {
  require_something_to_choose_by(options, trainable.has_dev());
  return Training(trainable, choice, defaults, options, identity, events).run();
}

}  // namespace trellis
