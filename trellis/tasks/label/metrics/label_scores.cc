#include "trellis/tasks/label/metrics/label_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

PrecisionRecall figures_of(const SetCounts& counts, double beta) {
  using Kind = SetMeasure::Kind;
  return {SetMeasure{Kind::kPrecision, 1}.score(counts), SetMeasure{Kind::kRecall, 1}.score(counts),
          SetMeasure{Kind::kFBeta, 1}.score(counts), SetMeasure{Kind::kFBeta, beta}.score(counts)};
}

constexpr std::pair<const char*, double PrecisionRecall::*> kFigures[] = {
    {"precision", &PrecisionRecall::precision},
    {"recall", &PrecisionRecall::recall},
    {"f1", &PrecisionRecall::f1},
    {"f_beta", &PrecisionRecall::f_beta}};

void add(const PrecisionRecall& term, PrecisionRecall& sum) {
  for (const auto& [name, figure] : kFigures) sum.*figure += term.*figure;
}

void divide(PrecisionRecall& sum, Index count) {
  for (const auto& [name, figure] : kFigures) sum.*figure /= static_cast<double>(count);
}

void put(nlohmann::json& json, const std::string& prefix, const PrecisionRecall& figures) {
  for (const auto& [name, figure] : kFigures) json[prefix + name] = figures.*figure;
}

}  // namespace

LabelScorer::LabelScorer(std::vector<std::string> names, double beta)
    : names_(std::move(names)), beta_(beta), labels_(names_.size()) {
  if (names_.empty()) throw UsageError("there is no label to score");
  if (!(beta > 0) || std::isinf(beta)) throw UsageError("beta must be positive and finite");
}

void LabelScorer::add(std::span<const std::uint32_t> truth,
                      std::span<const std::uint32_t> predicted, std::span<const double> scores) {
  check(truth);
  check(predicted);
  if (!scores.empty()) add_ranking(truth, scores);
  ++instances_;
  if (ranked_ != 0 && ranked_ != instances_) {
    throw UsageError("some instances have scores to rank by, and some have none");
  }
  const SetCounts counts = compare(truth, predicted);
  label::add(figures_of(counts, beta_), example_);
  exact_ += counts.hits == counts.truth && counts.hits == counts.predicted ? 1 : 0;
  all_ += counts;
}

void LabelScorer::check(std::span<const std::uint32_t> set) const {
  for (Index k = 0; k < set.size(); ++k) {
    if (set[k] >= names_.size() || (k > 0 && set[k] <= set[k - 1])) {
      throw UsageError("a label set that does not ascend, or has a label that does not exist");
    }
  }
}

// The counts of one instance, which are added to those of its labels.
SetCounts LabelScorer::compare(std::span<const std::uint32_t> truth,
                               std::span<const std::uint32_t> predicted) {
  for (const std::uint32_t v : truth) ++labels_[v].truth;
  for (const std::uint32_t v : predicted) ++labels_[v].predicted;
  SetCounts counts{0, predicted.size(), truth.size(), labels_.size()};
  for (Index a = 0, b = 0; a < truth.size() && b < predicted.size();) {
    if (truth[a] == predicted[b]) {
      ++counts.hits;
      ++labels_[truth[a]].hits;
    }
    const bool advance_truth = truth[a] <= predicted[b];
    const bool advance_predicted = predicted[b] <= truth[a];
    a += advance_truth ? 1 : 0;
    b += advance_predicted ? 1 : 0;
  }
  return counts;
}

// scikit-learn's label_ranking_loss: the share of the pairs (a label of the truth, one that is
// not) in which the first does not have the higher score; equal scores are as wrong as reversed
// ones. 0 where there is no such pair.
void LabelScorer::add_ranking(std::span<const std::uint32_t> truth,
                              std::span<const double> scores) {
  if (scores.size() != names_.size()) {
    throw UsageError("the scores to rank by do not fit the labels");
  }
  if (std::any_of(scores.begin(), scores.end(), [](double a) { return std::isnan(a); })) {
    throw UsageError("a score to rank by is not a number");
  }
  ++ranked_;
  const Index others = scores.size() - truth.size();
  if (truth.empty() || others == 0) return;
  relevant_.clear();
  for (const std::uint32_t v : truth) relevant_.push_back(scores[v]);
  std::sort(relevant_.begin(), relevant_.end());
  Index wrong = 0;
  for (Index v = 0, k = 0; v < scores.size(); ++v) {
    if (k < truth.size() && truth[k] == v) {
      ++k;
      continue;
    }
    const auto above = std::upper_bound(relevant_.begin(), relevant_.end(), scores[v]);
    wrong += static_cast<Index>(above - relevant_.begin());
  }
  ranking_loss_ += static_cast<double>(wrong) / static_cast<double>(truth.size() * others);
}

LabelScores LabelScorer::result() const {
  if (instances_ == 0) throw UsageError("there is no instance to score");
  const auto n = static_cast<double>(instances_);
  LabelScores scores;
  scores.instances = instances_;
  scores.beta = beta_;
  scores.example = example_;
  divide(scores.example, instances_);
  scores.micro = figures_of(all_, beta_);
  scores.hamming = static_cast<double>(all_.truth + all_.predicted - 2 * all_.hits) /
                   static_cast<double>(all_.items);
  scores.subset_accuracy = static_cast<double>(exact_) / n;
  if (ranked_ > 0) scores.ranking_loss = ranking_loss_ / n;
  Index present = 0;
  for (Index v = 0; v < names_.size(); ++v) {
    SetCounts counts = labels_[v];
    counts.items = instances_;
    const PrecisionRecall figures = figures_of(counts, beta_);
    scores.labels.push_back({names_[v], counts, figures});
    label::add(figures, scores.macro);
    if (counts.truth == 0) continue;
    label::add(figures, scores.macro_present);
    ++present;
  }
  divide(scores.macro, names_.size());
  if (present > 0) {
    divide(scores.macro_present, present);
  } else {
    scores.macro_present = scores.macro;
  }
  return scores;
}

LabelScores score_label_sets(const std::vector<std::string>& names, const LabelSets& truth,
                             const LabelSets& predicted, std::span<const double> scores,
                             double beta) {
  LabelScorer scorer(names, beta);
  if (truth.size() != predicted.size()) {
    throw UsageError("the truth and the predictions are of different numbers of instances");
  }
  if (!scores.empty() && scores.size() != truth.size() * names.size()) {
    throw UsageError("the scores to rank by do not fit the instances and labels");
  }
  for (Index i = 0; i < truth.size(); ++i) {
    scorer.add(truth[i], predicted[i],
               scores.empty() ? scores : scores.subspan(i * names.size(), names.size()));
  }
  return scorer.result();
}

double figure(const LabelScores& scores, const Measure& measure) {
  if (measure.set.kind == SetMeasure::Kind::kHamming) return 1 - scores.hamming;
  if (measure.direction == Measure::Direction::kReverse) {
    double sum = 0;
    for (const LabelRow& row : scores.labels) sum += measure.set.score(row.counts);
    return sum / static_cast<double>(scores.labels.size());
  }
  switch (measure.set.kind) {
    case SetMeasure::Kind::kPrecision:
      return scores.example.precision;
    case SetMeasure::Kind::kRecall:
      return scores.example.recall;
    default:
      break;
  }
  if (measure.set.beta == 1) return scores.example.f1;
  if (measure.set.beta == scores.beta) return scores.example.f_beta;
  throw UsageError(fmt::format("scores with beta {} do not have the figure {}", scores.beta,
                               to_string(measure)));
}

nlohmann::json LabelScores::to_json() const {
  nlohmann::json json;
  json["instances"] = instances;
  json["beta"] = beta;
  put(json, "macro_", macro);
  put(json, "macro_present_", macro_present);
  put(json, "micro_", micro);
  put(json, "example_", example);
  json["hamming"] = hamming;
  json["subset_accuracy"] = subset_accuracy;
  if (ranking_loss) json["ranking_loss"] = *ranking_loss;
  nlohmann::json rows = nlohmann::json::array();
  for (const LabelRow& row : labels) {
    nlohmann::json entry = {{"label", row.label},
                            {"truth", row.counts.truth},
                            {"predicted", row.counts.predicted},
                            {"hits", row.counts.hits}};
    put(entry, "", row.figures);
    rows.push_back(std::move(entry));
  }
  json["labels"] = std::move(rows);
  return json;
}

}  // namespace trellis::label
