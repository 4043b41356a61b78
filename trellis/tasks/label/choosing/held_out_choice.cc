#include "trellis/tasks/label/choosing/held_out_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "trellis/formats/sets/label_data.h"
#include "trellis/frame/training/fold_fits.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/label/choosing/folds.h"
#include "trellis/tasks/label/metrics/label_scores.h"

namespace trellis::label {
namespace {

// A model that was fitted without a fold, and that fold.
struct FoldFit {
  TuningCase held_out;
  std::vector<double> training_thresholds;  // best on the other folds' instances
  double work = 0;
};

// What is kept of a setting.
struct Judged {
  double figure = 0;
  double figure_at_zero = 0;
  double work = 0;                 // of its fits
  std::vector<double> thresholds;  // best on all held-out scores
  std::vector<SetCounts> counts;   // [fold · V + label]
};

std::string setting_stage(Index s) {
  return fmt::format("cv/{}", s);
}

void put(const Judged& judged, Checkpoint& result) {
  result.put("figures", std::array{judged.figure, judged.figure_at_zero, judged.work});
  result.put("thresholds", judged.thresholds);
  std::vector<std::uint64_t> numbers;
  for (const SetCounts& one : judged.counts) {
    numbers.insert(numbers.end(), {one.hits, one.predicted, one.truth, one.items});
  }
  result.put_integers("counts", numbers);
}

Judged get_judged(const Checkpoint& result, Index folds, Index num_labels) {
  Judged judged;
  std::array<double, 3> figures{};
  result.get("figures", figures);
  judged.figure = figures[0];
  judged.figure_at_zero = figures[1];
  judged.work = figures[2];
  judged.thresholds = result.doubles("thresholds");
  if (!judged.thresholds.empty()) judged.thresholds.resize(num_labels);
  std::vector<std::uint64_t> numbers(folds * num_labels * 4);
  result.get_integers("counts", numbers);
  for (Index k = 0; k < numbers.size(); k += 4) {
    judged.counts.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
  }
  return judged;
}

constexpr const char* kSoFar = "so_far";  // the stage of the best model so far

class Choosing {
 public:
  Choosing(const ChoicePlan& plan, const std::vector<std::string>& label_names,
           const TrainEvents& events, TrainResult& result)
      : plan_(plan),
        label_names_(label_names),
        events_(events),
        result_(result),
        options_(result.options),
        stages_(*result.learned.stages),
        num_labels_(label_names.size()),
        folds_(plan.splits.size()),
        tuning_(options_.measure, num_labels_, plan.threads),
        fold_fits_(stages_, events, plan.threads, 0) {}

  HeldOutChoice run() {
    for (Index w = 0; w < plan_.walks.size() && !choice_.interrupted; ++w) {
      choice_.interrupted = !go_along(w);
    }
    for (const TriedSetting& one : choice_.tried) {
      const Judged& judged = judged_[one.number];
      result_.cv.push_back({one.setting.choice, one.setting.method, one.setting.coupling_scale,
                            judged.figure, judged.figure_at_zero, judged.work});
    }
    if (!choice_.tried.empty()) take_best();
    // The last fit may be interrupted, too.
    if (!choice_.interrupted) choice_.so_far = known_model(kSoFar);
    return std::move(choice_);
  }

 private:
  // False: interrupted.
  bool go_along(Index w) {
    const SettingsWalk& along = plan_.walks[w];
    Walk& walk = walks_.emplace_back(path_of(w), along.dial, 2, limits_of(along));
    std::vector<TriedSetting> tried;
    last_.assign(folds_, std::nullopt);
    bool going = true;
    while (const auto k = walk.next()) {
      const LearnerChoice& values = walk.settings()[*k];
      TriedSetting one{plan_.setting_of(along, values), values, w, judged_.size()};
      going = judge_setting(one, walk.follows(*k));
      if (!going) break;
      one.figure = judged_.back().figure;
      walk.judge(one.figure, judged_.back().work);
      tried.push_back(std::move(one));
    }
    if (walk.out_of_work()) tell_end(along);
    if (going) forget_last();  // otherwise a resumed run starts from them
    const std::vector<Index> order = walk.order();
    for (Index place = 0; place < order.size(); ++place) {
      choice_.tried.push_back(std::move(tried[order[place]]));
      choice_.tried.back().smoothed = walk.smoothed(place);
    }
    return going;
  }

  Path path_of(Index w) const {
    const SettingsWalk& along = plan_.walks[w];
    if (along.from_best && !walks_.back().order().empty()) {
      const Walk& before = walks_.back();
      return beginning_at(before.values()[before.best()], along.path, along.dial);
    }
    return {along.path.begin() + static_cast<std::ptrdiff_t>(along.begin), along.path.end()};
  }

  WalkLimits limits_of(const SettingsWalk& along) const {
    WalkLimits limits = along.limits;
    if (limits.work < kInfinity) {
      limits.work = std::max(limits.work, walks_.front().work());
      limits.first_work = first_work(along.setting);
    }
    if (!judged_.empty()) limits.best_before = judged_[so_far_].figure;
    return limits;
  }

  // That of the first setting of a walk, before anything is known of it.
  double first_work(const FitSetting& setting) const {
    double work = 0;
    for (const HeldOutSplit& split : plan_.splits) work += usual_work(*split.train, setting);
    return work;
  }

  void tell_end(const SettingsWalk& along) const {
    events_.phase(fmt::format(
        "{}: stopped, since its remaining runs would take too long (use --method {} to run them)",
        to_string(along.setting.method), to_string(along.setting.method)));
  }

  // False: interrupted.
  bool judge_setting(const TriedSetting& one, bool follows) {
    const std::string stage = setting_stage(one.number);
    std::vector<FoldFit> fits(folds_);
    const bool known = !plan_.by_dev() && stages_.known(stage);
    if (!known && !fit(one, follows, fits)) {
      choice_.so_far = interrupted_model(fits.front());
      return false;
    }
    Checkpoint result;
    stages_.run(
        stage,
        [&](Checkpoint& found, Checkpoint&) {
          put(judge(fits), found);
          return true;
        },
        result);
    judged_.push_back(get_judged(result, folds_, num_labels_));
    if (plan_.several()) tell(one.setting.name, judged_.back());
    keep_so_far(one.number, fits.front());
    forget_last();
    last_number_ = one.number;
    for (Index f = 0; f < folds_ && one.setting.newton; ++f) {
      last_[f] = known ? known_model(fold_stage(one.number, f) + "/model")
                       : std::optional(std::move(fits[f].held_out.model));
    }
    return true;
  }

  // The fits of the last setting, which that after it may have started from.
  void forget_last() {
    if (last_number_) stages_.forget(setting_stage(*last_number_) + "/");
    last_number_.reset();
  }

  bool fit(const TriedSetting& one, bool follows, std::vector<FoldFit>& fits) {
    return fold_fits_.run(fits.size(), [&](Index fold, int threads) {
      const LabelModel* start =
          follows && one.setting.newton && last_[fold] ? &*last_[fold] : nullptr;
      if (!fit_fold(one, fold, start, threads, fits[fold])) return false;
      if (!plan_.by_dev()) fold_fits_.count();
      return true;
    });
  }

  bool fit_fold(const TriedSetting& one, Index fold, const LabelModel* start, int threads,
                FoldFit& result) {
    std::optional<LabelModel> model = fit_model(one, fold, start, threads, result.work);
    if (!model) return false;
    const LabelledRows& train = *plan_.splits[fold].train;
    if (needs_training(result_.thresholds)) {
      const TuningCase seen = make_case(*model, train.labels, train, threads);
      result.training_thresholds =
          ThresholdTuning(options_.measure, num_labels_, threads).best(seen);
    }
    result.held_out =
        make_case(*std::move(model), train.labels, *plan_.splits[fold].held_out, threads);
    return true;
  }

  static std::string fold_stage(Index number, Index fold) {
    return fmt::format("{}/fold/{}", setting_stage(number), fold);
  }

  // Models of folds are stages, in which those of their labels are forgotten. That of the dev set
  // is left to its own stages, from which the last fit takes it. Nothing: interrupted.
  std::optional<LabelModel> fit_model(const TriedSetting& one, Index fold, const LabelModel* start,
                                      int threads, double& work) {
    if (plan_.by_dev()) return plan_.fit_whole(one.setting, one.number, work);
    const std::string stage = fold_stage(one.number, fold);
    Checkpoint result;
    const bool done = stages_.run(
        stage + "/model",
        [&](Checkpoint& found, Checkpoint&) {
          FitControl control{stages_, stage + "/fit", threads, options_.training.seed};
          control.start = start;
          Fit fit = fit_labels(options_, *plan_.splits[fold].train, one.setting, control);
          if (fit.interrupted()) return false;
          found.put_text("model", plan_.complete(std::move(fit.model)).to_bytes());
          found.put("work", std::array{fit.work});
          return true;
        },
        result);
    if (!done) return std::nullopt;
    stages_.forget(stage + "/fit");
    work = result.doubles("work").at(0);
    return model_from(result);
  }

  static LabelModel model_from(const Checkpoint& result) {
    const std::string& bytes = result.text("model");
    return LabelModel::from_bytes(std::as_bytes(std::span(bytes)), "checkpoint");
  }

  // What a stage has, where it is finished.
  std::optional<LabelModel> known_model(const std::string& stage) {
    if (!stages_.known(stage)) return std::nullopt;
    Checkpoint result;
    stages_.run(
        stage, [](Checkpoint&, Checkpoint&) { return false; }, result);
    return model_from(result);
  }

  // With thresholds: those of its training set and, where they are known, of held-out scores.
  LabelModel model_of(const FoldFit& fit, const std::vector<double>& held_out) const {
    LabelModel model = fit.held_out.model;
    const std::vector<double>& training = fit.training_thresholds;
    const bool both = !held_out.empty() && !training.empty();
    if (both || result_.thresholds == Thresholds::kNone) {
      model.thresholds = combine_thresholds(result_.thresholds, training, held_out, num_labels_);
    } else if (!held_out.empty() || !training.empty()) {
      model.thresholds = held_out.empty() ? training : held_out;
    }
    return model;
  }

  // Where this setting is the best so far, its model is what an interruption would leave.
  void keep_so_far(Index number, const FoldFit& fit) {
    if (number > 0 && !(judged_[number].figure > judged_[so_far_].figure)) return;
    so_far_ = number;
    if (fit.held_out.judged == nullptr) return;  // it was known, and so is its model
    stages_.forget(kSoFar);
    Checkpoint result;
    stages_.run(
        kSoFar,
        [&](Checkpoint& found, Checkpoint&) {
          found.put_text("model", model_of(fit, judged_[number].thresholds).to_bytes());
          return true;
        },
        result);
  }

  // Of the best so far, or, where nothing is judged, the first fold's.
  std::optional<LabelModel> interrupted_model(const FoldFit& first) {
    if (stages_.known(kSoFar)) return known_model(kSoFar);
    if (first.held_out.judged == nullptr) return std::nullopt;
    return model_of(first, {});
  }

  Judged judge(std::span<const FoldFit> folds) const {
    Judged judged;
    LabelSets truth, given, given_at_zero;
    const std::vector<double> zero(num_labels_, 0.0);
    for (Index f = 0; f < folds.size(); ++f) {
      const TuningCase& held_out = folds[f].held_out;
      const LabelSets labels = tuning_.predict(held_out, thresholds_of(folds, f));
      truth.append_all(held_out.judged->labels);
      given.append_all(labels);
      given_at_zero.append_all(tuning_.predict(held_out, zero));
      for (const LabelRow& row :
           score_label_sets(label_names_, held_out.judged->labels, labels).labels) {
        judged.counts.push_back(row.counts);
      }
    }
    for (const FoldFit& fold : folds) judged.work += fold.work;
    judged.figure = figure_of(truth, given);
    judged.figure_at_zero = figure_of(truth, given_at_zero);
    if (needs_held_out(result_.thresholds)) judged.thresholds = best_of(folds, folds.size());
    return judged;
  }

  // Best on the held-out scores of all folds but one (or of all: `left_out` = their number).
  std::vector<double> best_of(std::span<const FoldFit> folds, Index left_out) const {
    std::vector<const TuningCase*> cases;
    for (Index f = 0; f < folds.size(); ++f) {
      if (f != left_out) cases.push_back(&folds[f].held_out);
    }
    return tuning_.best(cases);
  }

  // Of the other folds; a dev set has none beside it.
  std::vector<double> thresholds_of(std::span<const FoldFit> folds, Index f) const {
    std::vector<double> held_out;
    if (needs_held_out(result_.thresholds)) held_out = best_of(folds, left_out(f));
    return combine_thresholds(result_.thresholds, folds[f].training_thresholds, held_out,
                              num_labels_);
  }

  Index left_out(Index fold) const { return plan_.by_dev() ? folds_ : fold; }

  double figure_of(const LabelSets& truth, const LabelSets& given) const {
    return figure(score_label_sets(label_names_, truth, given, {}, options_.measure.set.beta),
                  options_.measure);
  }

  void tell(const std::string& name, const Judged& one) const {
    events_.phase(fmt::format("{}: {} {:.4f}, at threshold 0 {:.4f}", name,
                              to_string(options_.measure), quoted(one.figure, options_.measure),
                              quoted(one.figure_at_zero, options_.measure)));
  }

  // The best of each walk (Walk::best), and of those the best; of equals the first.
  void take_best() {
    std::optional<Index> best;
    Index first = 0;  // of the walk
    for (const Walk& walk : walks_) {
      const Index judged = walk.order().size();
      const Index k = first + (judged > 0 ? walk.best() : 0);
      if (judged > 0 && (!best || ahead(choice_.tried[k], choice_.tried[*best]))) best = k;
      first += judged;
    }
    choice_.best = *best;
    choice_.thresholds = judged_[choice_.tried[*best].number].thresholds;
    if (options_.per_label) choose_by_label(choice_.thresholds);
  }

  // Grids of different methods have different steps, so averages with neighbours do not compare.
  static bool ahead(const TriedSetting& one, const TriedSetting& other) {
    return one.setting.method == other.setting.method ? one.smoothed > other.smoothed
                                                      : one.figure > other.figure;
  }

  void choose_by_label(std::vector<double>& thresholds) {
    double sum = 0;
    for (Index v = 0; v < num_labels_; ++v) {
      const Index best = best_setting(v, folds_);
      result_.label_c.push_back(*choice_.tried[best].setting.choice.values.c);
      if (!thresholds.empty()) thresholds[v] = of(best).thresholds[v];
      SetCounts counts;
      for (Index f = 0; f < folds_; ++f) {
        counts += of(best_setting(v, left_out(f))).counts[f * num_labels_ + v];
      }
      sum += options_.measure.set.score(counts);
    }
    result_.per_label_figure = sum / static_cast<double>(num_labels_);
  }

  // Of label v, by all folds but one.
  Index best_setting(Index v, Index without) const {
    Index best = 0;
    double best_score = -1;
    for (Index s = 0; s < choice_.tried.size(); ++s) {
      SetCounts counts;
      for (Index f = 0; f < folds_; ++f) {
        if (f != without) counts += of(s).counts[f * num_labels_ + v];
      }
      const double score = options_.measure.set.score(counts);
      if (score > best_score) {
        best_score = score;
        best = s;
      }
    }
    return best;
  }

  const Judged& of(Index k) const { return judged_[choice_.tried[k].number]; }

  const ChoicePlan& plan_;
  const std::vector<std::string>& label_names_;
  const TrainEvents& events_;
  TrainResult& result_;
  const TrainOptions& options_;
  Stages& stages_;
  Index num_labels_;
  Index folds_;
  ThresholdTuning tuning_;
  FoldFits fold_fits_;
  std::vector<Judged> judged_;  // as they were tried
  std::vector<Walk> walks_;
  HeldOutChoice choice_;
  std::vector<std::optional<LabelModel>> last_;  // of each fold, on the walk so far
  std::optional<Index> last_number_;             // whose they are
  Index so_far_ = 0;                             // the best of those judged
};

}  // namespace

std::vector<HeldOutSplit> fold_splits(const LabelledRows& all, Index folds, std::uint64_t seed) {
  const auto part = [&](std::span<const Index> instances) {
    return std::make_shared<const LabelledRows>(
        LabelledRows{subset(all.rows, instances), subset(all.labels, instances), all.num_labels});
  };
  std::vector<HeldOutSplit> splits;
  for (const auto& fold : stratified_folds(all.labels, all.num_labels, folds, seed)) {
    splits.push_back({part(trellis::without(fold, all.labels.size())), part(fold)});
  }
  return splits;
}

HeldOutChoice choose_by_held_out(const ChoicePlan& plan,
                                 const std::vector<std::string>& label_names,
                                 const TrainEvents& events, TrainResult& result) {
  return Choosing(plan, label_names, events, result).run();
}

}  // namespace trellis::label
