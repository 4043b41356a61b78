#include "trellis/scorers/sklearn_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

namespace trellis::label {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kNoSamples =
    "ERROR Samplewise metrics are not available outside of multilabel classification.";
constexpr std::string_view kNoBinary = "ERROR binary format is not supported";

// As Python writes a number.
std::string python_repr(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

// Numbers of pairs, as doubles for what is divided.
struct Tally {
  double hits = 0;
  double predicted = 0;
  double truth = 0;
};

struct Tallies {
  Tally all;
  std::vector<Tally> labels;
  std::vector<Tally> rows;
};

Index common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

void add_tally(const Tally& term, Tally& sum) {
  sum.hits += term.hits;
  sum.predicted += term.predicted;
  sum.truth += term.truth;
}

Tallies tally_sets(const JudgedSets& sets) {
  Tallies tallies;
  tallies.labels.resize(sets.label_names.size());
  for (Index i = 0; i < sets.truth.size(); ++i) {
    const auto truth = sets.truth[i];
    const auto predicted = sets.predicted[i];
    for (const std::uint32_t v : truth) {
      ++tallies.labels[v].truth;
      if (std::binary_search(predicted.begin(), predicted.end(), v)) ++tallies.labels[v].hits;
    }
    for (const std::uint32_t v : predicted) ++tallies.labels[v].predicted;
    tallies.rows.push_back({static_cast<double>(common(truth, predicted)),
                            static_cast<double>(predicted.size()),
                            static_cast<double>(truth.size())});
    add_tally(tallies.rows.back(), tallies.all);
  }
  return tallies;
}

// One label as two classes: its absence, and the label.
Tallies two_classes(const JudgedSets& sets) {
  Tallies tallies;
  tallies.labels.resize(2);
  for (Index i = 0; i < sets.truth.size(); ++i) {
    const Index truth = sets.truth[i].size();
    const Index predicted = sets.predicted[i].size();
    ++tallies.labels[truth].truth;
    ++tallies.labels[predicted].predicted;
    if (truth == predicted) ++tallies.labels[truth].hits;
  }
  for (const Tally& tally : tallies.labels) add_tally(tally, tallies.all);
  return tallies;
}

struct Ratio {
  const char* name;
  double (*numerator)(const Tally&);
  double (*denominator)(const Tally&);
};
constexpr Ratio kPrecision = {"precision", [](const Tally& t) { return t.hits; },
                              [](const Tally& t) { return t.predicted; }};
constexpr Ratio kRecall = {"recall", [](const Tally& t) { return t.hits; },
                           [](const Tally& t) { return t.truth; }};
constexpr Ratio kF1 = {"f1", [](const Tally& t) { return 2 * t.hits; },
                       [](const Tally& t) { return t.truth + t.predicted; }};
constexpr Ratio kJaccard = {"jaccard", [](const Tally& t) { return t.hits; },
                            [](const Tally& t) { return t.truth + t.predicted - t.hits; }};

double value_of(const Ratio& ratio, const Tally& tally, double zero_division) {
  const double denominator = ratio.denominator(tally);
  return denominator == 0 ? zero_division : ratio.numerator(tally) / denominator;
}

std::vector<double> values_of(const Ratio& ratio, std::span<const Tally> tallies,
                              double zero_division) {
  std::vector<double> values;
  for (const Tally& tally : tallies) values.push_back(value_of(ratio, tally, zero_division));
  return values;
}

// numpy's sum of an array that is read in one go: pairwise above 128 terms, in eight lanes below.
double numpy_sum(std::span<const double> terms) {
  constexpr Index kBlock = 128;
  constexpr Index kLanes = 8;
  if (terms.size() < kLanes) return std::accumulate(terms.begin(), terms.end(), 0.0);
  if (terms.size() > kBlock) {
    Index half = terms.size() / 2;
    half -= half % kLanes;
    return numpy_sum(terms.first(half)) + numpy_sum(terms.subspan(half));
  }
  double lane[kLanes];
  std::copy_n(terms.begin(), kLanes, lane);
  Index k = kLanes;
  for (; k + kLanes <= terms.size(); k += kLanes) {
    for (Index j = 0; j < kLanes; ++j) lane[j] += terms[k + j];
  }
  double sum =
      ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (; k < terms.size(); ++k) sum += terms[k];
  return sum;
}

double plain_mean(std::span<const double> values) {
  return numpy_sum(values) / static_cast<double>(values.size());
}

// The mean of those that are numbers, with weights where they do not add up to 0.
double mean_of(std::span<const double> values, std::span<const double> weights = {}) {
  std::vector<double> known, products, scale;
  for (Index k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) continue;
    known.push_back(values[k]);
    if (weights.empty()) continue;
    scale.push_back(weights[k]);
    products.push_back(values[k] * weights[k]);
  }
  if (known.empty()) return kNan;
  const double sum = numpy_sum(scale);
  return sum == 0 ? plain_mean(known) : numpy_sum(products) / sum;
}

std::vector<double> truths(std::span<const Tally> tallies) {
  std::vector<double> numbers;
  for (const Tally& tally : tallies) numbers.push_back(tally.truth);
  return numbers;
}

std::string averages(const Ratio& ratio, const Tallies& tallies, std::string_view zero_division,
                     double value) {
  std::string text;
  const auto line = [&](const char* average, const std::string& number) {
    text += fmt::format("{}_{} zero_division={} {}\n", ratio.name, average, zero_division, number);
  };
  const std::vector<double> labels = values_of(ratio, tallies.labels, value);
  line("micro", python_repr(value_of(ratio, tallies.all, value)));
  line("macro", python_repr(mean_of(labels)));
  line("weighted", python_repr(mean_of(labels, truths(tallies.labels))));
  line("samples", tallies.rows.empty()
                      ? std::string(kNoSamples)
                      : python_repr(mean_of(values_of(ratio, tallies.rows, value))));
  if (std::string_view(ratio.name) == kJaccard.name) return text;
  std::string each;
  for (const double figure : labels) {
    if (!each.empty()) each += ' ';
    each += python_repr(figure);
  }
  line("per_label", each);
  return text;
}

// Whether each label is true, and its score, of one row, of one label or of all pairs.
struct ScoredTruth {
  std::vector<bool> truth;
  std::vector<double> scores;
};

// Σ (R_n − R_{n−1}) P_n over decreasing thresholds, equal scores together; 0 if no pair is true.
double average_precision(const ScoredTruth& pairs) {
  std::vector<Index> order(pairs.scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return pairs.scores[a] > pairs.scores[b]; });
  const auto positives =
      static_cast<double>(std::count(pairs.truth.begin(), pairs.truth.end(), true));
  if (positives == 0) return 0;
  std::vector<double> terms;
  double hits = 0;
  double recall = 0;
  for (Index k = 0; k < order.size(); ++k) {
    hits += pairs.truth[order[k]] ? 1 : 0;
    if (k + 1 < order.size() && pairs.scores[order[k + 1]] == pairs.scores[order[k]]) continue;
    terms.push_back((hits / positives - recall) * (hits / static_cast<double>(k + 1)));
    recall = hits / positives;
  }
  std::reverse(terms.begin(), terms.end());  // thresholds rise there
  return numpy_sum(terms);
}

class Rankings {
 public:
  explicit Rankings(const JudgedSets& sets) : sets_(sets), columns_(sets.label_names.size()) {}

  ScoredTruth row(Index i) const {
    ScoredTruth row;
    row.truth.resize(columns_, false);
    for (const std::uint32_t v : sets_.truth[i]) row.truth[v] = true;
    const auto scores = std::span(sets_.scores).subspan(i * columns_, columns_);
    row.scores.assign(scores.begin(), scores.end());
    return row;
  }

  // figure(row) of each row.
  std::vector<double> rows(double (*figure)(const ScoredTruth&)) const {
    std::vector<double> figures;
    for (Index i = 0; i < sets_.truth.size(); ++i) figures.push_back(figure(row(i)));
    return figures;
  }

  // By label, and of all pairs.
  std::vector<ScoredTruth> columns() const {
    std::vector<ScoredTruth> columns(columns_ + 1);
    for (Index i = 0; i < sets_.truth.size(); ++i) {
      const ScoredTruth one = row(i);
      for (Index v = 0; v < columns_; ++v) {
        for (ScoredTruth* to : {&columns[v], &columns[columns_]}) {
          to->truth.push_back(one.truth[v]);
          to->scores.push_back(one.scores[v]);
        }
      }
    }
    return columns;
  }

 private:
  const JudgedSets& sets_;
  Index columns_;
};

Index num_true(const ScoredTruth& row) {
  return static_cast<Index>(std::count(row.truth.begin(), row.truth.end(), true));
}

// How many labels score at least as much as the lowest true one.
double coverage(const ScoredTruth& row) {
  if (num_true(row) == 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index v = 0; v < row.scores.size(); ++v) {
    if (row.truth[v]) least = std::min(least, row.scores[v]);
  }
  return static_cast<double>(std::count_if(row.scores.begin(), row.scores.end(),
                                           [&](double score) { return score >= least; }));
}

// The share of pairs (true, false) in which the first does not have the higher score.
double wrong_pairs(const ScoredTruth& row) {
  const Index positive = num_true(row);
  const Index negative = row.truth.size() - positive;
  if (positive == 0 || negative == 0) return 0;
  Index wrong = 0;
  for (Index a = 0; a < row.truth.size(); ++a) {
    for (Index b = 0; row.truth[a] && b < row.truth.size(); ++b) {
      wrong += !row.truth[b] && row.scores[b] >= row.scores[a] ? 1 : 0;
    }
  }
  return static_cast<double>(wrong) / static_cast<double>(positive * negative);
}

// The mean over true labels of the share of true ones among those that score at least as much.
double label_ranking_precision(const ScoredTruth& row) {
  const Index positive = num_true(row);
  if (positive == 0 || positive == row.truth.size()) return 1;
  std::vector<double> shares;
  for (Index a = 0; a < row.truth.size(); ++a) {
    if (!row.truth[a]) continue;
    Index above = 0;
    Index hits = 0;
    for (Index b = 0; b < row.truth.size(); ++b) {
      if (row.scores[b] < row.scores[a]) continue;
      ++above;
      hits += row.truth[b] ? 1 : 0;
    }
    shares.push_back(static_cast<double>(hits) / static_cast<double>(above));
  }
  return plain_mean(shares);
}

std::string ranking_lines(const JudgedSets& sets) {
  const Rankings rankings(sets);
  const bool binary = sets.label_names.size() == 1;
  const auto unless_binary = [&](double (*figure)(const ScoredTruth&)) {
    return binary ? std::string(kNoBinary) : python_repr(plain_mean(rankings.rows(figure)));
  };
  std::string text;
  const auto line = [&](const char* name, const std::string& number) {
    text += fmt::format("{} {}\n", name, number);
  };
  line("coverage_error", unless_binary(coverage));
  line("label_ranking_loss", unless_binary(wrong_pairs));
  const std::vector<double> precisions = rankings.rows(label_ranking_precision);
  line("label_ranking_average_precision_score",  // summed one by one there
       python_repr(std::accumulate(precisions.begin(), precisions.end(), 0.0) /
                   static_cast<double>(precisions.size())));
  const std::vector<ScoredTruth> columns = rankings.columns();
  std::vector<double> labels;
  std::vector<double> weights;
  for (Index v = 0; v + 1 < columns.size(); ++v) {
    labels.push_back(average_precision(columns[v]));
    weights.push_back(static_cast<double>(num_true(columns[v])));
  }
  const double all = average_precision(columns.back());
  line("average_precision_micro", python_repr(all));
  line("average_precision_macro", python_repr(mean_of(labels)));
  const double weighted = numpy_sum(weights) == 0 ? 0 : mean_of(labels, weights);
  line("average_precision_weighted", python_repr(binary ? all : weighted));
  line("average_precision_samples",
       python_repr(binary ? all : plain_mean(rankings.rows(average_precision))));
  return text;
}

}  // namespace

std::string sklearn_scores(const JudgedSets& sets) {
  assert(sets.truth.size() > 0 && !sets.label_names.empty());
  const Tallies multi = tally_sets(sets);
  const Tallies tallies = sets.label_names.size() == 1 ? two_classes(sets) : multi;
  const auto rows = static_cast<double>(sets.truth.size());
  const double wrong = multi.all.truth + multi.all.predicted - 2 * multi.all.hits;
  const auto exact =
      static_cast<double>(std::count_if(multi.rows.begin(), multi.rows.end(), [](const Tally& row) {
        return row.hits == row.truth && row.hits == row.predicted;
      }));
  std::string text =
      fmt::format("hamming_loss {}\nzero_one_loss {}\naccuracy_score {}\n",
                  python_repr(wrong / (rows * static_cast<double>(sets.label_names.size()))),
                  python_repr(1 - exact / rows), python_repr(exact / rows));
  for (const auto& [name, value] :
       {std::pair<const char*, double>{"0", 0}, {"1", 1}, {"nan", kNan}}) {
    for (const Ratio& ratio : {kPrecision, kRecall, kF1, kJaccard}) {
      if (std::isnan(value) && std::string_view(ratio.name) == kJaccard.name) continue;
      text += averages(ratio, tallies, name, value);
    }
  }
  return sets.scores.empty() ? text : text + ranking_lines(sets);
}

}  // namespace trellis::label
