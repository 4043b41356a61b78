#include "trellis/tasks/label/methods/classifier_chain.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/base/random.h"
#include "trellis/tasks/label/methods/binary_model.h"
#include "trellis/tasks/label/methods/thresholds.h"

namespace trellis::label {
namespace {

// The features, and behind them which labels an instance has, in the order of the chain: what the
// label at place j sees is the first D + j columns.
FeatureRows with_labels(const FeatureRows& rows, const LabelSets& labels,
                        std::span<const std::uint32_t> place) {
  const Index width = rows.width() + place.size();
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
  std::vector<std::uint32_t> places;
  for (Index i = 0; i < rows.num_rows(); ++i) {
    places.clear();
    for (const std::uint32_t v : labels[i]) places.push_back(place[v]);
    std::sort(places.begin(), places.end());
    if (rows.is_dense()) {
      const auto x = rows.dense_row(i);
      values.insert(values.end(), x.begin(), x.end());
      values.resize(values.size() + place.size(), 0.0F);
      for (const std::uint32_t j : places) values[i * width + rows.width() + j] = 1;
      continue;
    }
    const auto x_ids = rows.ids(i);
    const auto x_values = rows.values(i);
    ids.insert(ids.end(), x_ids.begin(), x_ids.end());
    values.insert(values.end(), x_values.begin(), x_values.end());
    for (const std::uint32_t j : places) {
      ids.push_back(static_cast<std::uint32_t>(rows.width()) + j);
      values.push_back(1);
    }
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  if (rows.is_dense()) return FeatureRows::dense(width, std::move(values));
  return FeatureRows::sparse(width, std::move(begin), std::move(ids), std::move(values));
}

std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> place(order.size());
  for (Index j = 0; j < order.size(); ++j) place[order[j]] = static_cast<std::uint32_t>(j);
  return place;
}

double feature_score(const LabelModel& chain, const FeatureRows& rows, Index i, Index v,
                     Index num_labels) {
  double sum = 0;
  if (rows.is_dense()) {
    const auto x = rows.dense_row(i);
    for (Index k = 0; k < x.size(); ++k) {
      sum += static_cast<double>(x[k]) * chain.weights[k * num_labels + v];
    }
    return sum;
  }
  const auto ids = rows.ids(i);
  const auto values = rows.values(i);
  for (Index k = 0; k < ids.size(); ++k) {
    sum += static_cast<double>(values[k]) * chain.weights[ids[k] * num_labels + v];
  }
  return sum;
}

// The instances of a case on their way along the chain.
class ChainWalk {
 public:
  explicit ChainWalk(const ChainCase& one)
      : case_(one), given_(one.rows->num_rows()), scores_(one.rows->num_rows()) {}

  bool learned(std::uint32_t v) const { return case_.learned[v] != 0; }

  void score(std::uint32_t v, Index num_labels) {
    for (Index i = 0; i < scores_.size(); ++i) {
      scores_[i] = feature_score(*case_.chain, *case_.rows, i, v, num_labels);
      for (const std::uint32_t u : given_[i]) {
        scores_[i] += case_.chain->chain_weights[v * num_labels + u];
      }
    }
  }

  void append(std::uint32_t v, std::vector<double>& scores, std::vector<std::uint8_t>& has) const {
    scores.insert(scores.end(), scores_.begin(), scores_.end());
    for (Index i = 0; i < scores_.size(); ++i) {
      const auto labels = (*case_.truth)[i];
      has.push_back(std::binary_search(labels.begin(), labels.end(), v) ? 1 : 0);
    }
  }

  void give(std::uint32_t v, double threshold) {
    for (Index i = 0; i < scores_.size(); ++i) {
      if (scores_[i] > threshold) given_[i].push_back(v);
    }
  }

 private:
  ChainCase case_;
  std::vector<std::vector<std::uint32_t>> given_;
  std::vector<double> scores_;  // of the label that is visited
};

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

Fit fit_chain(const FitData& data, const FitSetting& setting, const FitControl& control) {
  const Index num_labels = data.num_labels;
  const Index width = data.rows.width();
  Fit fit;
  LabelModel& chain = fit.model;
  chain.form = ModelForm::kChain;
  chain.order = setting.chain_order;
  chain.weights.assign(width * num_labels, 0.0);
  chain.chain_weights.assign(num_labels * num_labels, 0.0);
  const std::vector<std::uint32_t> place = places_of(chain.order);
  const FeatureRows rows = with_labels(data.rows, data.labels, place);
  const LabelSets instances = reversed(data.labels, num_labels);
  fit.summary = run_labels(num_labels, setting, control, [&](Index v, const RunLabel& run) {
    const std::vector<std::uint8_t> has = indicator(instances[v], rows.num_rows());
    const BinaryModel model(rows, has, width + place[v]);
    std::vector<double> theta(model.dimension(), 0.0);
    run([&](const FitCall& call) { return fit_binary(model, call); }, theta);
    put_column(std::span(theta).first(width), v, num_labels, chain.weights);
    for (Index j = 0; j < place[v]; ++j) {
      chain.chain_weights[v * num_labels + chain.order[j]] = theta[width + j];
    }
  });
  fit.lambda = setting.choice.lambda(data.rows.num_rows());
  return fit;
}

std::vector<double> chain_thresholds(std::span<const ChainCase> cases, Index num_labels,
                                     const SetMeasure& measure) {
  std::vector<double> thresholds(num_labels, 0.0);
  if (cases.empty()) return thresholds;
  std::vector<ChainWalk> walks(cases.begin(), cases.end());
  std::vector<double> scores;
  std::vector<std::uint8_t> has;
  for (const std::uint32_t v : cases.front().chain->order) {
    scores.clear();
    has.clear();
    const bool any = std::any_of(cases.begin(), cases.end(),
                                 [&](const ChainCase& one) { return one.learned[v] != 0; });
    for (ChainWalk& walk : walks) {
      walk.score(v, num_labels);
      if (!any || walk.learned(v)) walk.append(v, scores, has);
    }
    thresholds[v] = best_threshold(scores, has, measure);
    for (ChainWalk& walk : walks) walk.give(v, thresholds[v]);
  }
  return thresholds;
}

}  // namespace trellis::label
