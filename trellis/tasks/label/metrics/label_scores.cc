#include "trellis/tasks/label/metrics/label_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::label {
namespace {

PrecisionRecall figures_of(const SetCounts& counts, double beta) {
  using Kind = SetMeasure::Kind;
  return {SetMeasure{Kind::kPrecision, 1}.score(counts), SetMeasure{Kind::kRecall, 1}.score(counts),
          SetMeasure{Kind::kFBeta, 1}.score(counts), SetMeasure{Kind::kFBeta, beta}.score(counts)};
}

// The names of a metric: in JSON and in text.
template <class T>
struct Titled {
  const char* key;
  const char* title;
  T value;
};
using Figure = Titled<double PrecisionRecall::*>;
constexpr Figure kFigures[] = {{"precision", "precision", &PrecisionRecall::precision},
                               {"recall", "recall", &PrecisionRecall::recall},
                               {"f1", "F1", &PrecisionRecall::f1},
                               {"f_beta", "F_{}", &PrecisionRecall::f_beta}};  // for the given β

struct Mean : Titled<PrecisionRecall LabelScores::*> {
  const char* over;
};
constexpr Mean kMeans[] = {{{"macro", "macro", &LabelScores::macro}, "labels"},
                           {{"macro_present", "macro, of the {} labels that occur in the truth",
                             &LabelScores::macro_present},
                            "labels present"},
                           {{"micro", "micro", &LabelScores::micro}, "pairs"},
                           {{"example", "example", &LabelScores::example}, "instances"}};

std::array<Titled<std::optional<double>>, 3> shares_of(const LabelScores& scores) {
  return {{{"hamming", "Hamming loss", scores.hamming},
           {"subset_accuracy", "subset accuracy", scores.subset_accuracy},
           {"ranking_loss", "ranking loss", scores.ranking_loss}}};
}

constexpr std::pair<const char*, Index SetCounts::*> kCounts[] = {
    {"truth", &SetCounts::truth}, {"predicted", &SetCounts::predicted}, {"hits", &SetCounts::hits}};

void add(const PrecisionRecall& term, PrecisionRecall& sum) {
  for (const Figure& figure : kFigures) sum.*figure.value += term.*figure.value;
}

void divide(PrecisionRecall& sum, Index count) {
  for (const Figure& figure : kFigures) sum.*figure.value /= static_cast<double>(count);
}

void put(const PrecisionRecall& figures, const std::string& prefix, Value& record) {
  for (const Figure& figure : kFigures) record[prefix + figure.key] = figures.*figure.value;
}

// A name, followed by cell(figure) for each metric; F_β only if β is not 1.
template <class Cell>
std::string table_line(std::string_view name, Index width, double beta, const Cell& cell) {
  std::string line(name);
  line.append(width - std::min(width, utf8_length(name)), ' ');
  for (const Figure& figure : kFigures) {
    if (beta == 1 && figure.value == &PrecisionRecall::f_beta) continue;
    line += fmt::format("{:>10}", cell(figure));
  }
  return line;
}

std::string table_head(std::string_view name, Index width, double beta) {
  return table_line(name, width, beta, [&](const Figure& figure) {
    return fmt::format(fmt::runtime(figure.title), beta);
  });
}

std::string table_row(std::string_view name, Index width, double beta,
                      const PrecisionRecall& figures) {
  return table_line(name, width, beta, [&](const Figure& figure) {
    return fmt::format("{:.4f}", figures.*figure.value);
  });
}

std::vector<Index> shown_labels(const LabelScores& scores, Index max_labels) {
  std::vector<Index> order(scores.labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (order.size() <= max_labels) return order;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores.labels[a].counts.truth > scores.labels[b].counts.truth;
  });
  order.resize(max_labels);
  std::sort(order.begin(), order.end());
  return order;
}

std::string label_table(const LabelScores& scores, Index max_labels) {
  const std::vector<Index> shown = shown_labels(scores, max_labels);
  Index width = 5;
  for (const Index v : shown) width = std::max(width, utf8_length(scores.labels[v].label));
  std::string text = fmt::format("\n{}", table_head("label", width, scores.beta));
  for (const auto& [key, count] : kCounts) text += fmt::format("{:>10}", key);
  text += "\n";
  for (const Index v : shown) {
    const LabelRow& row = scores.labels[v];
    text += table_row(row.label, width, scores.beta, row.figures);
    for (const auto& [key, count] : kCounts) text += fmt::format("{:10}", row.counts.*count);
    text += "\n";
  }
  if (shown.size() < scores.labels.size()) {
    text +=
        fmt::format("… and {} labels that occur less often\n", scores.labels.size() - shown.size());
  }
  return text;
}

}  // namespace

LabelScorer::LabelScorer(std::vector<std::string> names, double beta)
    : names_(std::move(names)), beta_(beta), labels_(names_.size()) {
  if (names_.empty()) throw UsageError("expected labels to score, found none");
  if (!(beta > 0) || std::isinf(beta)) throw UsageError("beta must be positive and finite");
}

void LabelScorer::add(std::span<const std::uint32_t> truth,
                      std::span<const std::uint32_t> predicted, std::span<const double> scores) {
  check(truth);
  check(predicted);
  if (!scores.empty()) add_ranking(truth, scores);
  ++instances_;
  if (ranked_ != 0 && ranked_ != instances_) {
    throw UsageError("expected scores for all instances or for none");
  }
  const SetCounts counts = compare(truth, predicted);
  label::add(figures_of(counts, beta_), example_);
  exact_ += counts.hits == counts.truth && counts.hits == counts.predicted ? 1 : 0;
  all_ += counts;
}

void LabelScorer::check(std::span<const std::uint32_t> set) const {
  for (Index k = 0; k < set.size(); ++k) {
    if (set[k] >= names_.size() || (k > 0 && set[k] <= set[k - 1])) {
      throw UsageError("a label set is not sorted, or has a label that does not exist");
    }
  }
}

// The counts of one instance; they are also added to those of its labels.
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

// scikit-learn's label_ranking_loss: the share of the pairs (true label, other label) in which the
// first does not have the higher score; ties are as wrong as reversed pairs. 0 if there is no such
// pair.
void LabelScorer::add_ranking(std::span<const std::uint32_t> truth,
                              std::span<const double> scores) {
  if (scores.size() != names_.size()) {
    throw UsageError("the number of scores does not fit the number of labels");
  }
  if (std::any_of(scores.begin(), scores.end(), [](double a) { return std::isnan(a); })) {
    throw UsageError("a score is not a number");
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
  if (instances_ == 0) throw UsageError("expected instances to score, found none");
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
    throw UsageError("the true labels and the predictions have different numbers of instances");
  }
  if (!scores.empty() && scores.size() != truth.size() * names.size()) {
    throw UsageError("the number of scores does not fit the instances and labels");
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
  throw UsageError(fmt::format("scores with beta {} do not include the metric {}", scores.beta,
                               to_string(measure)));
}

std::string figure_name(const Measure& measure) {
  return measure.set.kind == SetMeasure::Kind::kHamming ? "1 - hamming" : to_string(measure);
}

double quoted(double figure, const Measure& measure) {
  return measure.set.kind == SetMeasure::Kind::kHamming ? 1 - figure : figure;
}

Index LabelScores::num_present() const {
  return static_cast<Index>(std::count_if(
      labels.begin(), labels.end(), [](const LabelRow& row) { return row.counts.truth > 0; }));
}

Value LabelScores::record() const {
  Value record;
  record["instances"] = instances;
  record["beta"] = beta;
  for (const Mean& one : kMeans) put(this->*one.value, std::string(one.key) + "_", record);
  for (const auto& share : shares_of(*this)) {
    if (share.value) record[share.key] = *share.value;
  }
  Value rows = Value::list();
  for (const LabelRow& row : labels) {
    Value entry = Value::record({{"label", row.label}});
    for (const auto& [key, count] : kCounts) entry[key] = row.counts.*count;
    put(row.figures, "", entry);
    rows.push_back(std::move(entry));
  }
  record["labels"] = std::move(rows);
  return record;
}

std::string LabelScores::to_text(Index max_labels) const {
  constexpr Index kNameWidth = 14;
  std::string text = fmt::format("{} instances, {} labels\n\n{}\n", instances, labels.size(),
                                 table_head("mean over", kNameWidth, beta));
  for (const Mean& one : kMeans) {
    text += fmt::format("{}   {}\n", table_row(one.over, kNameWidth, beta, this->*one.value),
                        fmt::format(fmt::runtime(one.title), num_present()));
  }
  text += "\n";
  for (const auto& share : shares_of(*this)) {
    if (share.value) text += fmt::format("{:<18}{:.4f}\n", share.title, *share.value);
  }
  if (max_labels > 0) text += label_table(*this, max_labels);
  return text;
}

}  // namespace trellis::label
