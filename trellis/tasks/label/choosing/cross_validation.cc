#include "trellis/tasks/label/choosing/cross_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/tasks/label/choosing/folds.h"
#include "trellis/tasks/label/choosing/threshold_tuning.h"
#include "trellis/tasks/label/metrics/label_scores.h"

namespace trellis::label {
namespace {

// A model that was fitted without a fold, and that fold.
struct FoldFit {
  TuningCase held_out;
  std::vector<double> training_thresholds;  // best on the other folds' instances
};

// What is kept of a setting.
struct Judged {
  CvFigure figure;
  std::vector<double> thresholds;              // best on all held-out scores
  std::vector<std::vector<SetCounts>> counts;  // [fold][label]
};

class CrossValidation {
 public:
  CrossValidation(const TrainOptions& options, const LabelData& data, const FeatureRows& rows,
                  const CvPlan& plan, const TrainEvents& events)
      : options_(options),
        data_(data),
        plan_(plan),
        events_(events),
        num_labels_(data.num_labels()),
        tuning_(options.measure, data.num_labels(), plan.threads) {
    const std::vector<Index> folds =
        stratified_folds(data.labels, num_labels_, options.folds, options.seed);
    for (const Split& split : splits_of(folds, options.folds)) {
      train_.push_back(part_of(rows, split.train));
      held_out_.push_back(part_of(rows, split.held_out));
    }
  }

  CvOutcome run() {
    CvOutcome outcome;
    // As many settings at a time as keep the threads busy: held-out scores are large.
    const Index at_once = (static_cast<Index>(plan_.threads) + train_.size() - 1) / train_.size();
    for (Index begin = 0; begin < plan_.settings.size(); begin += at_once) {
      const Index end = std::min(begin + at_once, plan_.settings.size());
      const std::vector<FoldFit> fits = fit(begin, end);
      if (events_.stop.stop_requested()) {
        outcome.interrupted = true;
        return outcome;
      }
      for (Index s = begin; s < end; ++s) {
        judged_.push_back(
            judge(plan_.settings[s],
                  std::span(fits).subspan((s - begin) * train_.size(), train_.size())));
        outcome.figures.push_back(judged_.back().figure);
        tell(judged_.back().figure);
      }
    }
    choose(outcome);
    return outcome;
  }

 private:
  struct Part {
    FeatureRows rows;
    LabelSets labels;
  };

  Part part_of(const FeatureRows& rows, std::span<const Index> instances) const {
    LabelData view;
    view.features = rows;
    view.labels = data_.labels;
    LabelData chosen = subset(view, instances);
    return {std::move(chosen.features), std::move(chosen.labels)};
  }

  std::vector<FoldFit> fit(Index begin, Index end) {
    const Index folds = train_.size();
    const Index jobs = (end - begin) * folds;
    std::vector<FoldFit> fits(jobs);
    FitControl control;
    control.threads = std::max(1, plan_.threads / static_cast<int>(jobs));
    control.stop = events_.stop;
    std::mutex mutex;
    parallel_for(jobs, plan_.threads, [&](Index job, int) {
      if (events_.stop.stop_requested()) return;
      fits[job] = fit_fold(plan_.settings[begin + job / folds], job % folds, control);
      const std::lock_guard lock(mutex);
      ++done_;
      if (events_.on_progress) {
        events_.on_progress(
            fmt::format("cross-validation: {} of {} fits", done_, plan_.settings.size() * folds));
      }
    });
    return fits;
  }

  FoldFit fit_fold(const FitSetting& setting, Index fold, const FitControl& control) const {
    const FitData data{train_[fold].rows, train_[fold].labels, num_labels_};
    Fit fitted = fit_labels(options_, data, setting, control);
    fitted.parts.label_names = data_.label_names;
    fitted.parts.feature_names = data_.feature_names;
    fitted.parts.scaling.bias = options_.bias;  // the rows are scaled already
    FoldFit result;
    if (needs_training(plan_.thresholds)) {
      const TuningCase seen = make_case(fitted.parts, train_[fold].labels, train_[fold].rows,
                                        train_[fold].labels, control.threads);
      const TuningCase* const cases[] = {&seen};
      result.training_thresholds =
          ThresholdTuning(options_.measure, num_labels_, control.threads).best(cases);
    }
    result.held_out = make_case(std::move(fitted.parts), train_[fold].labels, held_out_[fold].rows,
                                held_out_[fold].labels, control.threads);
    return result;
  }

  Judged judge(const FitSetting& setting, std::span<const FoldFit> folds) const {
    Judged judged;
    judged.figure.c = setting.c;
    judged.figure.coupling_scale = setting.coupling_scale;
    LabelSets truth, given, given_at_zero;
    const std::vector<double> zero(num_labels_, 0.0);
    for (Index f = 0; f < folds.size(); ++f) {
      const TuningCase& held_out = folds[f].held_out;
      const LabelSets labels = tuning_.predict(held_out, thresholds_without(folds, f));
      append(held_out.truth, truth);
      append(labels, given);
      append(tuning_.predict(held_out, zero), given_at_zero);
      std::vector<SetCounts> counts;
      for (const LabelRow& row :
           score_label_sets(data_.label_names, held_out.truth, labels).labels) {
        counts.push_back(row.counts);
      }
      judged.counts.push_back(std::move(counts));
    }
    judged.figure.figure = figure_of(truth, given);
    judged.figure.figure_at_zero = figure_of(truth, given_at_zero);
    if (needs_held_out(plan_.thresholds)) judged.thresholds = best_of(folds, folds.size());
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

  std::vector<double> thresholds_without(std::span<const FoldFit> folds, Index f) const {
    std::vector<double> held_out;
    if (needs_held_out(plan_.thresholds)) held_out = best_of(folds, f);
    return combine_thresholds(plan_.thresholds, folds[f].training_thresholds, held_out,
                              num_labels_);
  }

  static void append(const LabelSets& part, LabelSets& all) {
    for (Index i = 0; i < part.size(); ++i) all.append(part[i]);
  }

  double figure_of(const LabelSets& truth, const LabelSets& given) const {
    return figure(score_label_sets(data_.label_names, truth, given, {}, options_.measure.set.beta),
                  options_.measure);
  }

  void tell(const CvFigure& figure) const {
    if (!events_.on_phase || plan_.settings.size() < 2) return;
    std::string text = fmt::format("C = {:g}", figure.c);
    if (options_.pairwise) text += fmt::format(", couplings x {:g}", figure.coupling_scale);
    events_.on_phase(fmt::format("{}: {} {:.4f}, at threshold 0 {:.4f}", text,
                                 to_string(options_.measure), figure.figure,
                                 figure.figure_at_zero));
  }

  void choose(CvOutcome& outcome) const {
    Index best = 0;
    for (Index s = 1; s < judged_.size(); ++s) {
      if (smoothed(s) > smoothed(best)) best = s;
    }
    outcome.best = plan_.settings[best];
    outcome.thresholds = judged_[best].thresholds;
    if (options_.per_label) choose_by_label(outcome);
  }

  // The figure of a setting and half of those of the C below and above it, their couplings scaled
  // alike.
  double smoothed(Index s) const {
    double sum = judged_[s].figure.figure;
    double weight = 1;
    for (const Index neighbour : {s - plan_.scales, s + plan_.scales}) {
      if (neighbour >= judged_.size()) continue;  // below 0 wraps around
      sum += judged_[neighbour].figure.figure / 2;
      weight += 0.5;
    }
    return sum / weight;
  }

  void choose_by_label(CvOutcome& outcome) const {
    const Index none = train_.size();
    outcome.best.label_c.assign(num_labels_, 0.0);
    double sum = 0;
    for (Index v = 0; v < num_labels_; ++v) {
      const Index best = best_setting(v, none);
      outcome.best.label_c[v] = plan_.settings[best].c;
      if (!outcome.thresholds.empty()) outcome.thresholds[v] = judged_[best].thresholds[v];
      SetCounts counts;
      for (Index f = 0; f < train_.size(); ++f) {
        add(judged_[best_setting(v, f)].counts[f][v], counts);
      }
      sum += options_.measure.set.score(counts);
    }
    outcome.per_label_figure = sum / static_cast<double>(num_labels_);
  }

  // Of label v, by all folds but one.
  Index best_setting(Index v, Index left_out) const {
    Index best = 0;
    double best_score = -1;
    for (Index s = 0; s < judged_.size(); ++s) {
      SetCounts counts;
      for (Index f = 0; f < train_.size(); ++f) {
        if (f != left_out) add(judged_[s].counts[f][v], counts);
      }
      const double score = options_.measure.set.score(counts);
      if (score > best_score) {
        best_score = score;
        best = s;
      }
    }
    return best;
  }

  static void add(const SetCounts& part, SetCounts& counts) {
    counts.hits += part.hits;
    counts.predicted += part.predicted;
    counts.truth += part.truth;
    counts.items += part.items;
  }

  const TrainOptions& options_;
  const LabelData& data_;
  const CvPlan& plan_;
  const TrainEvents& events_;
  Index num_labels_;
  ThresholdTuning tuning_;
  std::vector<Part> train_, held_out_;
  std::vector<Judged> judged_;
  Index done_ = 0;
};

}  // namespace

CvOutcome cross_validate(const TrainOptions& options, const LabelData& data,
                         const FeatureRows& rows, const CvPlan& plan, const TrainEvents& events) {
  return CrossValidation(options, data, rows, plan, events).run();
}

}  // namespace trellis::label
