#include "trellis/tasks/label/label_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

PrecisionRecall figures_of(const SetCounts& counts, double beta) {
  using Kind = SetMeasure::Kind;
  return {SetMeasure{Kind::kPrecision, 1}.score(counts), SetMeasure{Kind::kRecall, 1}.score(counts),
          SetMeasure{Kind::kFBeta, 1}.score(counts), SetMeasure{Kind::kFBeta, beta}.score(counts)};
}

void add(const PrecisionRecall& term, PrecisionRecall& sum) {
  sum.precision += term.precision;
  sum.recall += term.recall;
  sum.f1 += term.f1;
  sum.f_beta += term.f_beta;
}

void divide(PrecisionRecall& sum, Index count) {
  const auto n = static_cast<double>(count);
  sum.precision /= n;
  sum.recall /= n;
  sum.f1 /= n;
  sum.f_beta /= n;
}

// Counts of one instance, and its part in those of the labels.
class Comparison {
 public:
  Comparison(Index num_labels, Index num_instances) : labels_(num_labels) {
    for (SetCounts& counts : labels_) counts.items = num_instances;
  }

  SetCounts compare(std::span<const std::uint32_t> truth,
                    std::span<const std::uint32_t> predicted) {
    check(truth);
    check(predicted);
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
  const std::vector<SetCounts>& labels() const { return labels_; }

 private:
  void check(std::span<const std::uint32_t> set) const {
    for (Index k = 0; k < set.size(); ++k) {
      if (set[k] >= labels_.size() || (k > 0 && set[k] <= set[k - 1])) {
        throw UsageError("a label set that does not ascend, or has a label that does not exist");
      }
    }
  }

  std::vector<SetCounts> labels_;
};

// scikit-learn's label_ranking_loss: the share of the pairs (a label of the truth, one that is
// not) in which the first does not have the higher score; equal scores are as wrong as reversed
// ones. 0 where there is no such pair.
double ranking_loss(std::span<const std::uint32_t> truth, std::span<const double> scores,
                    std::vector<double>& relevant) {
  const Index wrong_labels = scores.size() - truth.size();
  if (truth.empty() || wrong_labels == 0) return 0;
  relevant.clear();
  for (const std::uint32_t v : truth) relevant.push_back(scores[v]);
  std::sort(relevant.begin(), relevant.end());
  Index wrong = 0;
  for (Index v = 0, k = 0; v < scores.size(); ++v) {
    if (k < truth.size() && truth[k] == v) {
      ++k;
      continue;
    }
    const auto above = std::upper_bound(relevant.begin(), relevant.end(), scores[v]);
    wrong += static_cast<Index>(above - relevant.begin());
  }
  return static_cast<double>(wrong) / static_cast<double>(truth.size() * wrong_labels);
}

double mean_ranking_loss(const LabelSets& truth, std::span<const double> scores, Index num_labels) {
  if (scores.size() != truth.size() * num_labels) {
    throw UsageError("the scores to rank by do not fit the instances and labels");
  }
  if (std::any_of(scores.begin(), scores.end(), [](double a) { return std::isnan(a); })) {
    throw UsageError("a score to rank by is not a number");
  }
  double sum = 0;
  std::vector<double> relevant;
  for (Index i = 0; i < truth.size(); ++i) {
    sum += ranking_loss(truth[i], scores.subspan(i * num_labels, num_labels), relevant);
  }
  return sum / static_cast<double>(truth.size());
}

void add_label_rows(const std::vector<std::string>& names, const std::vector<SetCounts>& counts,
                    LabelScores& scores) {
  Index present = 0;
  for (Index v = 0; v < names.size(); ++v) {
    const PrecisionRecall figures = figures_of(counts[v], scores.beta);
    scores.labels.push_back({names[v], counts[v], figures});
    add(figures, scores.macro);
    if (counts[v].truth == 0) continue;
    add(figures, scores.macro_present);
    ++present;
  }
  divide(scores.macro, names.size());
  if (present > 0) {
    divide(scores.macro_present, present);
  } else {
    scores.macro_present = scores.macro;
  }
}

void put(nlohmann::json& json, const std::string& prefix, const PrecisionRecall& figures) {
  json[prefix + "precision"] = figures.precision;
  json[prefix + "recall"] = figures.recall;
  json[prefix + "f1"] = figures.f1;
  json[prefix + "f_beta"] = figures.f_beta;
}

}  // namespace

LabelScores score_label_sets(const std::vector<std::string>& names, const LabelSets& truth,
                             const LabelSets& predicted, std::span<const double> scores,
                             double beta) {
  if (names.empty()) throw UsageError("there is no label to score");
  if (truth.size() == 0) throw UsageError("there is no instance to score");
  if (truth.size() != predicted.size()) {
    throw UsageError("the truth and the predictions are of different numbers of instances");
  }
  if (!(beta > 0) || std::isinf(beta)) throw UsageError("beta must be positive and finite");
  LabelScores result;
  result.instances = truth.size();
  result.beta = beta;
  Comparison comparison(names.size(), truth.size());
  SetCounts all{0, 0, 0, names.size() * truth.size()};
  Index exact = 0;
  for (Index i = 0; i < truth.size(); ++i) {
    const SetCounts counts = comparison.compare(truth[i], predicted[i]);
    add(figures_of(counts, beta), result.example);
    exact += counts.hits == counts.truth && counts.hits == counts.predicted ? 1 : 0;
    all.hits += counts.hits;
    all.predicted += counts.predicted;
    all.truth += counts.truth;
  }
  divide(result.example, truth.size());
  result.micro = figures_of(all, beta);
  result.hamming = static_cast<double>(all.truth + all.predicted - 2 * all.hits) /
                   static_cast<double>(all.items);
  result.subset_accuracy = static_cast<double>(exact) / static_cast<double>(truth.size());
  add_label_rows(names, comparison.labels(), result);
  if (!scores.empty()) result.ranking_loss = mean_ranking_loss(truth, scores, names.size());
  return result;
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
