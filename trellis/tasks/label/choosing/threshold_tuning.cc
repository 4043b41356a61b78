#include "trellis/tasks/label/choosing/threshold_tuning.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/tasks/label/methods/classifier_chain.h"
#include "trellis/tasks/label/methods/thresholds.h"
#include "trellis/tasks/label/model/labeller.h"

namespace trellis::label {
namespace {

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

}  // namespace

TuningCase make_case(LabelModel model, const LabelSets& seen, const FeatureRows& rows,
                     const LabelSets& truth, int threads) {
  TuningCase one{std::move(model), &rows, &truth, {}, {}};
  one.scores = predict_labels(one.model, rows, threads).scores;
  one.learned.assign(one.model.num_labels(), 0);
  for (const std::uint32_t v : seen.ids) one.learned[v] = 1;
  return one;
}

std::vector<double> ThresholdTuning::best(std::span<const TuningCase* const> cases) const {
  if (cases.empty()) return std::vector<double>(num_labels_, 0.0);
  const ModelForm form = cases.front()->model.form;
  if (form == ModelForm::kIndependent) return independent(cases);
  if (form == ModelForm::kChain && measure_.direction == Measure::Direction::kReverse) {
    std::vector<ChainCase> chains;
    for (const TuningCase* one : cases)
      chains.push_back({&one->model, one->rows, one->truth, one->learned});
    return chain_thresholds(chains, num_labels_, measure_.set);
  }
  return by_trial(cases);
}

std::vector<double> ThresholdTuning::independent(std::span<const TuningCase* const> cases) const {
  std::vector<double> thresholds(num_labels_);
  if (measure_.direction == Measure::Direction::kReverse) {
    parallel_for(num_labels_, threads_, [&](Index v, int) { thresholds[v] = of_label(cases, v); });
    return thresholds;
  }
  std::vector<double> scores;
  LabelSets truth;
  for (const TuningCase* one : cases) {
    scores.insert(scores.end(), one->scores.begin(), one->scores.end());
    for (Index i = 0; i < one->truth->size(); ++i) truth.append((*one->truth)[i]);
  }
  std::fill(thresholds.begin(), thresholds.end(),
            best_common_threshold(scores, truth, num_labels_, measure_.set));
  return thresholds;
}

double ThresholdTuning::of_label(std::span<const TuningCase* const> cases, Index v) const {
  const bool any = std::any_of(cases.begin(), cases.end(),
                               [&](const TuningCase* one) { return one->learned[v] != 0; });
  std::vector<double> scores;
  std::vector<std::uint8_t> has;
  for (const TuningCase* one : cases) {
    if (any && one->learned[v] == 0) continue;
    for (Index i = 0; i < one->truth->size(); ++i) {
      const auto labels = (*one->truth)[i];
      scores.push_back(one->scores[i * num_labels_ + v]);
      has.push_back(std::binary_search(labels.begin(), labels.end(), v) ? 1 : 0);
    }
  }
  return best_threshold(scores, has, measure_.set);
}

std::vector<double> ThresholdTuning::by_trial(std::span<const TuningCase* const> cases) const {
  std::vector<double> scores;
  Index labels = 0;
  for (const TuningCase* one : cases) {
    scores.insert(scores.end(), one->scores.begin(), one->scores.end());
    labels += one->truth->ids.size();
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

double ThresholdTuning::trial(std::span<const TuningCase* const> cases, double t) const {
  const std::vector<double> thresholds(num_labels_, t);
  double sum = 0;
  for (const TuningCase* one : cases) {
    sum += measure_sum(*one->truth, predict(*one, thresholds), num_labels_, measure_.set);
  }
  return sum;
}

LabelSets ThresholdTuning::predict(const TuningCase& one,
                                   std::span<const double> thresholds) const {
  if (one.model.form == ModelForm::kIndependent) return above_thresholds(one.scores, thresholds);
  LabelModel model = one.model;
  model.thresholds.assign(thresholds.begin(), thresholds.end());
  return predict_labels(model, *one.rows, threads_).labels;
}

std::vector<double> combine_thresholds(Thresholds rule, std::span<const double> training,
                                       std::span<const double> held_out, Index num_labels) {
  std::vector<double> thresholds(num_labels, 0.0);
  for (Index v = 0; v < num_labels; ++v) {
    switch (rule) {
      case Thresholds::kBoth:
        thresholds[v] = training[v] / 2 + held_out[v] / 2;
        break;
      case Thresholds::kHeldOut:
        thresholds[v] = held_out[v];
        break;
      case Thresholds::kTraining:
        thresholds[v] = training[v];
        break;
      case Thresholds::kNone:
        break;
    }
  }
  return thresholds;
}

bool needs_held_out(Thresholds rule) {
  return rule == Thresholds::kBoth || rule == Thresholds::kHeldOut;
}

bool needs_training(Thresholds rule) {
  return rule == Thresholds::kBoth || rule == Thresholds::kTraining;
}

}  // namespace trellis::label
