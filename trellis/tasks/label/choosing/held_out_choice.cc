#include "trellis/tasks/label/choosing/held_out_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "trellis/tasks/label/choosing/folds.h"
#include "trellis/tasks/label/metrics/label_scores.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/training/folds.h"
#include "trellis/tasks/training/fold_fits.h"
#include "trellis/tasks/training/training.h"

namespace trellis::label {
namespace {

// A model that was fitted without a fold, and that fold.
struct FoldFit {
  TuningCase held_out;
  std::vector<double> training_thresholds;  // best on the other folds' instances
};

// What is kept of a setting.
struct Judged {
  double figure = 0;
  double figure_at_zero = 0;
  std::vector<double> thresholds;  // best on all held-out scores
  std::vector<SetCounts> counts;   // [fold · V + label]
};

std::string setting_stage(Index s) {
  return fmt::format("cv/{}", s);
}

void put(const Judged& judged, Checkpoint& result) {
  result.put("figures", std::array{judged.figure, judged.figure_at_zero});
  result.put("thresholds", judged.thresholds);
  std::vector<std::uint64_t> numbers;
  for (const SetCounts& one : judged.counts) {
    numbers.insert(numbers.end(), {one.hits, one.predicted, one.truth, one.items});
  }
  result.put_integers("counts", numbers);
}

Judged get_judged(const Checkpoint& result, Index folds, Index num_labels) {
  Judged judged;
  std::array<double, 2> figures{};
  result.get("figures", figures);
  judged.figure = figures[0];
  judged.figure_at_zero = figures[1];
  judged.thresholds = result.doubles("thresholds");
  if (!judged.thresholds.empty()) judged.thresholds.resize(num_labels);
  std::vector<std::uint64_t> numbers(folds * num_labels * 4);
  result.get_integers("counts", numbers);
  for (Index k = 0; k < numbers.size(); k += 4) {
    judged.counts.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
  }
  return judged;
}

class HeldOutChoice {
 public:
  HeldOutChoice(const ChoicePlan& plan, const std::vector<std::string>& label_names,
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
        fold_fits_(stages_, events, plan.threads, plan.settings.size() * folds_) {}

  std::optional<BestSetting> run() {
    // As many settings at a time as keep the threads busy: held-out scores are large.
    const Index at_once =
        plan_.by_dev() ? 1 : (static_cast<Index>(plan_.threads) + folds_ - 1) / folds_;
    for (Index begin = 0; begin < plan_.settings.size(); begin += at_once) {
      const Index end = std::min(begin + at_once, plan_.settings.size());
      if (!judge_settings(begin, end)) return std::nullopt;
      for (Index s = begin; s < end; ++s) {
        const FitSetting& setting = plan_.settings[s];
        result_.cv.push_back(
            {setting.choice, setting.coupling_scale, judged_[s].figure, judged_[s].figure_at_zero});
        if (plan_.settings.size() > 1) tell(setting.name, judged_[s]);
      }
    }
    return best();
  }

 private:
  // False: interrupted.
  bool judge_settings(Index begin, Index end) {
    std::vector<FoldFit> fits((end - begin) * folds_);
    if (!fit(begin, fits)) return false;
    for (Index s = begin; s < end; ++s) {
      Checkpoint result;
      stages_.run(
          setting_stage(s),
          [&](Checkpoint& found, Checkpoint&) {
            put(judge(std::span(fits).subspan((s - begin) * folds_, folds_)), found);
            return true;
          },
          result);
      judged_.push_back(get_judged(result, folds_, num_labels_));
      stages_.forget(setting_stage(s) + "/");
    }
    return true;
  }

  bool fit(Index begin, std::vector<FoldFit>& fits) {
    return fold_fits_.run(fits.size(), [&](Index job, int threads) {
      const Index s = begin + job / folds_;
      if (!plan_.by_dev() && stages_.known(setting_stage(s))) return true;
      if (!fit_fold(s, job % folds_, threads, fits[job])) return false;
      if (!plan_.by_dev()) fold_fits_.count();
      return true;
    });
  }

  bool fit_fold(Index s, Index fold, int threads, FoldFit& result) {
    std::optional<LabelModel> model = fit_model(s, fold, threads);
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

  // Models of folds are stages, in which those of their labels are forgotten. That of the dev set
  // is left to its own stages, from which the last fit takes it. Nothing: interrupted.
  std::optional<LabelModel> fit_model(Index s, Index fold, int threads) {
    if (plan_.by_dev()) return plan_.fit_whole(s);
    const std::string stage = fmt::format("{}/fold/{}", setting_stage(s), fold);
    Checkpoint result;
    const bool done = stages_.run(
        stage + "/model",
        [&](Checkpoint& found, Checkpoint&) {
          Fit fit = fit_labels(options_, *plan_.splits[fold].train, plan_.settings[s],
                               {stages_, stage + "/fit", threads, options_.training.seed});
          if (fit.interrupted()) return false;
          found.put_text("model", plan_.complete(std::move(fit.model)).to_bytes());
          return true;
        },
        result);
    if (!done) return std::nullopt;
    stages_.forget(stage + "/fit");
    const std::string& bytes = result.text("model");
    return LabelModel::from_bytes(std::as_bytes(std::span(bytes)), "checkpoint");
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

  BestSetting best() {
    Index best = 0;
    for (Index s = 1; s < judged_.size(); ++s) {
      if (smoothed(s) > smoothed(best)) best = s;
    }
    BestSetting found{best, judged_[best].thresholds};
    if (options_.per_label) choose_by_label(found.thresholds);
    return found;
  }

  // The figure of a setting and half of those of the C below and above it on its path, their
  // couplings scaled alike.
  double smoothed(Index s) const {
    const Index path = plan_.path_length * plan_.scales;
    double sum = judged_[s].figure;
    double weight = 1;
    for (const Index neighbour : {s - plan_.scales, s + plan_.scales}) {
      // Below 0 wraps around.
      if (neighbour >= judged_.size() || neighbour / path != s / path) continue;
      sum += judged_[neighbour].figure / 2;
      weight += 0.5;
    }
    return sum / weight;
  }

  void choose_by_label(std::vector<double>& thresholds) {
    double sum = 0;
    for (Index v = 0; v < num_labels_; ++v) {
      const Index best = best_setting(v, folds_);
      result_.label_c.push_back(*plan_.settings[best].choice.values.c);
      if (!thresholds.empty()) thresholds[v] = judged_[best].thresholds[v];
      SetCounts counts;
      for (Index f = 0; f < folds_; ++f) {
        counts += judged_[best_setting(v, left_out(f))].counts[f * num_labels_ + v];
      }
      sum += options_.measure.set.score(counts);
    }
    result_.per_label_figure = sum / static_cast<double>(num_labels_);
  }

  // Of label v, by all folds but one.
  Index best_setting(Index v, Index without) const {
    Index best = 0;
    double best_score = -1;
    for (Index s = 0; s < judged_.size(); ++s) {
      SetCounts counts;
      for (Index f = 0; f < folds_; ++f) {
        if (f != without) counts += judged_[s].counts[f * num_labels_ + v];
      }
      const double score = options_.measure.set.score(counts);
      if (score > best_score) {
        best_score = score;
        best = s;
      }
    }
    return best;
  }

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
  std::vector<Judged> judged_;
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

std::optional<BestSetting> choose_by_held_out(const ChoicePlan& plan,
                                              const std::vector<std::string>& label_names,
                                              const TrainEvents& events, TrainResult& result) {
  return HeldOutChoice(plan, label_names, events, result).run();
}

}  // namespace trellis::label
