#include "trellis/tasks/label/choosing/thresholds.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/label/model/labeller.h"

namespace trellis::label {
namespace {

void require_rows(std::span<const double> scores, Index rows, Index width) {
  if (scores.size() != rows * width) {
    throw UsageError("thresholds need a score for each instance and label");
  }
}

// The cut below the `above` highest of the scores, which descend in `order`.
double cut_below(std::span<const double> scores, std::span<const Index> order, Index above) {
  if (order.empty()) return 0;
  const double highest = scores[order.front()];
  const double lowest = scores[order.back()];
  const double width = highest > lowest ? highest - lowest : 1;
  if (above == 0) return highest + width;
  if (above == order.size()) return lowest - width;
  const double next = scores[order[above]];
  const double middle = next + (scores[order[above - 1]] - next) / 2;
  return middle < scores[order[above - 1]] ? middle : next;  // neighbours may be that close
}

std::vector<Index> descending(std::span<const double> scores) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  return order;
}

// The cut with the highest value(): give(k) is called for the scores from the highest to the
// lowest, each of which is then above the cut. A value must be better by more than `slack`.
template <class Give, class Value>
double best_cut(std::span<const double> scores, const Give& give, const Value& value,
                double slack) {
  const std::vector<Index> order = descending(scores);
  double best = value();
  Index best_above = 0;
  for (Index above = 1; above <= order.size(); ++above) {
    give(order[above - 1]);
    // A cut is possible where the score changes, and at the end.
    if (above < order.size() && !(scores[order[above - 1]] > scores[order[above]])) continue;
    if (value() > best + slack) {
      best = value();
      best_above = above;
    }
  }
  return cut_below(scores, order, best_above);
}

// What a sweep from high scores to low ones knows of the instances: counts and measures.
class ExampleSweep {
 public:
  ExampleSweep(const LabelSets& truth, Index num_labels, const SetMeasure& measure)
      : truth_(truth), measure_(measure), num_labels_(num_labels), counts_(truth.size()) {
    for (Index i = 0; i < truth.size(); ++i) {
      counts_[i] = {0, 0, truth[i].size(), num_labels};
      sum_ += measure_.score(counts_[i]);
    }
  }

  double sum() const { return sum_; }

  // Label v of instance i is given from here on.
  void give(Index cell) {
    const Index i = cell / num_labels_;
    const auto labels = truth_[i];
    SetCounts& counts = counts_[i];
    sum_ -= measure_.score(counts);
    ++counts.predicted;
    if (std::binary_search(labels.begin(), labels.end(),
                           static_cast<std::uint32_t>(cell % num_labels_))) {
      ++counts.hits;
    }
    sum_ += measure_.score(counts);
  }

 private:
  const LabelSets& truth_;
  const SetMeasure& measure_;
  Index num_labels_;
  std::vector<SetCounts> counts_;
  double sum_ = 0;
};

// How many labels a common shift gives before couplings or the chain speak, as multiples of those
// that there are.
constexpr std::array kMultiples = {0.25, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0};

double measure_sum(const LabelSets& truth, const LabelSets& given, Index num_labels,
                   const SetMeasure& measure) {
  double sum = 0;
  std::vector<std::uint32_t> common;
  for (Index i = 0; i < truth.size(); ++i) {
    common.clear();
    std::set_intersection(truth[i].begin(), truth[i].end(), given[i].begin(), given[i].end(),
                          std::back_inserter(common));
    sum += measure.score({common.size(), given[i].size(), truth[i].size(), num_labels});
  }
  return sum;
}

// The best threshold of label v; score(c, i) is that of instance i of case c.
template <class Score>
double best_of_label(ThresholdTuning::Cases cases, Index v, const SetMeasure& measure,
                     const Score& score) {
  const bool any = std::any_of(cases.begin(), cases.end(),
                               [&](const TuningCase* one) { return one->learned[v] != 0; });
  std::vector<double> scores;
  std::vector<std::uint8_t> has;
  for (Index c = 0; c < cases.size(); ++c) {
    if (any && cases[c]->learned[v] == 0) continue;
    const Index begin = scores.size();
    for (Index i = 0; i < cases[c]->judged->labels.size(); ++i) scores.push_back(score(c, i));
    has.resize(scores.size(), 0);
    for (const std::uint32_t i : cases[c]->instances[v]) has[begin + i] = 1;
  }
  return best_threshold(scores, has, measure);
}

double chain_score(const TuningCase& one, Index i, Index v, Index num_labels,
                   std::span<const std::uint32_t> given) {
  double sum = 0;
  one.judged->rows.for_each(
      i, [&](Index k, double x) { sum += x * one.model.weights[k * num_labels + v]; });
  for (const std::uint32_t u : given) sum += one.model.chain_weights[v * num_labels + u];
  return sum;
}

}  // namespace

// Most labels are rare, and their best cuts are near the top of all scores: those are taken off a
// heap, and no further than a cut could still be better if it had every instance of the label.
double best_threshold(std::span<const double> scores, std::span<const std::uint8_t> truth,
                      const SetMeasure& measure) {
  require_rows(scores, truth.size(), 1);
  if (scores.empty()) return 0;
  SetCounts counts;
  counts.items = truth.size();
  counts.truth = truth.size() - static_cast<Index>(std::count(truth.begin(), truth.end(), 0));
  std::vector<std::pair<double, std::uint8_t>> heap(scores.size());
  for (Index i = 0; i < scores.size(); ++i) heap[i] = {scores[i], truth[i]};
  const auto lower = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::make_heap(heap.begin(), heap.end(), lower);
  const double highest = heap.front().first;
  const double lowest = *std::min_element(scores.begin(), scores.end());
  const double width = highest > lowest ? highest - lowest : 1;
  double best = measure.score(counts);
  double cut = highest + width;
  for (auto end = heap.end(); end != heap.begin();) {
    std::pop_heap(heap.begin(), end, lower);
    const auto [score, has] = *--end;
    ++counts.predicted;
    if (has != 0) ++counts.hits;
    // A cut is possible where the score changes, and at the end.
    const bool last = end == heap.begin();
    if (!last && !(score > heap.front().first)) continue;
    if (const double value = measure.score(counts); value > best) {
      best = value;
      const double next = last ? 0 : heap.front().first;
      const double middle = next + (score - next) / 2;
      cut = last ? lowest - width : middle < score ? middle : next;  // neighbours may be that close
    }
    const SetCounts all = {counts.truth, std::max(counts.predicted, counts.truth), counts.truth,
                           counts.items};
    if (measure.score(all) <= best) break;
  }
  return cut;
}

double best_common_threshold(std::span<const double> scores, const LabelSets& truth,
                             Index num_labels, const SetMeasure& measure) {
  require_rows(scores, truth.size(), num_labels);
  ExampleSweep sweep(truth, num_labels, measure);
  constexpr double kDrift = 1e-9;  // of the running sum, by rounding
  return best_cut(
      scores, [&](Index cell) { sweep.give(cell); }, [&] { return sweep.sum(); }, kDrift);
}

LabelSets above_thresholds(std::span<const double> scores, std::span<const double> thresholds) {
  const Index num_labels = thresholds.size();
  if (num_labels == 0 || scores.size() % num_labels != 0) {
    throw UsageError("thresholds need a score for each instance and label");
  }
  LabelSets sets;
  std::vector<std::uint32_t> given;
  for (Index i = 0; i < scores.size() / num_labels; ++i) {
    given.clear();
    for (Index v = 0; v < num_labels; ++v) {
      if (scores[i * num_labels + v] > thresholds[v])
        given.push_back(static_cast<std::uint32_t>(v));
    }
    sets.append(given);
  }
  return sets;
}

TuningCase make_case(LabelModel model, const LabelSets& seen, const LabelledRows& judged,
                     int threads) {
  TuningCase one{std::move(model), &judged, {}, {}, reversed(judged.labels, judged.num_labels)};
  one.scores = predict_labels(one.model, judged.rows, threads).scores;
  one.learned.assign(one.model.num_labels(), 0);
  for (const std::uint32_t v : seen.ids) one.learned[v] = 1;
  return one;
}

std::vector<double> ThresholdTuning::best(Cases cases) const {
  if (cases.empty()) return std::vector<double>(num_labels_, 0.0);
  const ModelForm form = cases.front()->model.form;
  if (form == ModelForm::kIndependent) return independent(cases);
  if (form == ModelForm::kChain && !measure_.forward()) return along_chain(cases);
  return by_trial(cases);
}

std::vector<double> ThresholdTuning::independent(Cases cases) const {
  std::vector<double> thresholds(num_labels_);
  if (!measure_.forward()) {
    parallel_for(num_labels_, threads_, [&](Index v, int) {
      thresholds[v] = best_of_label(cases, v, measure_.set, [&](Index c, Index i) {
        return cases[c]->scores[i * num_labels_ + v];
      });
    });
    return thresholds;
  }
  std::vector<double> scores;
  LabelSets truth;
  for (const TuningCase* one : cases) {
    scores.insert(scores.end(), one->scores.begin(), one->scores.end());
    truth.append_all(one->judged->labels);
  }
  std::fill(thresholds.begin(), thresholds.end(),
            best_common_threshold(scores, truth, num_labels_, measure_.set));
  return thresholds;
}

std::vector<double> ThresholdTuning::along_chain(Cases cases) const {
  std::vector<double> thresholds(num_labels_, 0.0);
  std::vector<std::vector<double>> scores;                     // of the label that is visited
  std::vector<std::vector<std::vector<std::uint32_t>>> given;  // those before it
  for (const TuningCase* one : cases) {
    scores.emplace_back(one->judged->rows.num_rows());
    given.emplace_back(one->judged->rows.num_rows());
  }
  for (const std::uint32_t v : cases.front()->model.order) {
    for (Index c = 0; c < cases.size(); ++c) {
      for (Index i = 0; i < scores[c].size(); ++i) {
        scores[c][i] = chain_score(*cases[c], i, v, num_labels_, given[c][i]);
      }
    }
    thresholds[v] =
        best_of_label(cases, v, measure_.set, [&](Index c, Index i) { return scores[c][i]; });
    for (Index c = 0; c < cases.size(); ++c) {
      for (Index i = 0; i < scores[c].size(); ++i) {
        if (scores[c][i] > thresholds[v]) given[c][i].push_back(v);
      }
    }
  }
  return thresholds;
}

std::vector<double> ThresholdTuning::by_trial(Cases cases) const {
  std::vector<double> scores;
  Index labels = 0;
  for (const TuningCase* one : cases) {
    scores.insert(scores.end(), one->scores.begin(), one->scores.end());
    labels += one->judged->labels.ids.size();
  }
  std::sort(scores.begin(), scores.end(), std::greater<>());
  double best_t = 0;
  double best = trial(cases, 0);
  for (const double multiple : kMultiples) {
    const auto above = static_cast<Index>(multiple * static_cast<double>(labels));
    if (above == 0 || above >= scores.size()) continue;
    const double t = scores[above] + (scores[above - 1] - scores[above]) / 2;
    const double value = trial(cases, t);
    if (value > best) {
      best = value;
      best_t = t;
    }
  }
  return std::vector<double>(num_labels_, best_t);
}

double ThresholdTuning::trial(Cases cases, double t) const {
  const std::vector<double> thresholds(num_labels_, t);
  double sum = 0;
  for (const TuningCase* one : cases) {
    sum += measure_sum(one->judged->labels, predict(*one, thresholds), num_labels_, measure_.set);
  }
  return sum;
}

LabelSets ThresholdTuning::predict(const TuningCase& one,
                                   std::span<const double> thresholds) const {
  if (one.model.form == ModelForm::kIndependent) return above_thresholds(one.scores, thresholds);
  LabelModel model = one.model;
  model.thresholds.assign(thresholds.begin(), thresholds.end());
  return predict_labels(model, one.judged->rows, threads_).labels;
}

std::vector<double> combine_thresholds(Thresholds rule, std::span<const double> training,
                                       std::span<const double> held_out, Index num_labels) {
  if (rule == Thresholds::kHeldOut) return {held_out.begin(), held_out.end()};
  if (rule == Thresholds::kTraining) return {training.begin(), training.end()};
  std::vector<double> thresholds(num_labels, 0.0);
  if (rule == Thresholds::kNone) return thresholds;
  for (Index v = 0; v < num_labels; ++v) thresholds[v] = training[v] / 2 + held_out[v] / 2;
  return thresholds;
}

bool needs_held_out(Thresholds rule) {
  return rule == Thresholds::kBoth || rule == Thresholds::kHeldOut;
}

bool needs_training(Thresholds rule) {
  return rule == Thresholds::kBoth || rule == Thresholds::kTraining;
}

}  // namespace trellis::label
