#include "trellis/tasks/rank/rank_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/solve/vectors/elementary_functions.h"

namespace trellis::rank {
namespace {

// The cut-offs in printed output.
constexpr std::array<Index, 4> kShown = {1, 3, 5, 10};

// DCG@1, DCG@2, … of grades in this order.
std::vector<double> cumulated_gain(std::span<const Grade> ranked, Ndcg variant) {
  std::vector<double> sums;
  sums.reserve(ranked.size());
  double sum = 0;
  for (Index j = 1; j <= ranked.size(); ++j) {
    sum += gain(variant, ranked[j - 1]) * discount(variant, j);
    sums.push_back(sum);
  }
  return sums;
}

void score_precision(std::span<const Grade> ranked, QueryScores& scores) {
  double found = 0;
  double sum = 0;
  for (Index j = 1; j <= std::max(ranked.size(), kCutoffs); ++j) {
    if (j <= ranked.size() && ranked[j - 1] > 0) {
      ++found;
      sum += found / static_cast<double>(j);
    }
    if (j <= kCutoffs) scores.precision[j - 1] = found / static_cast<double>(j);
  }
  scores.average_precision = found > 0 ? sum / found : 0;
}

Value query_record(const QueryScores& query) {
  Value record = Value::record({{"qid", query.id},
                                {"documents", query.documents},
                                {"relevant", query.relevant},
                                {"ap", query.average_precision},
                                {"ndcg", query.full_ndcg}});
  for (Index k = 1; k <= kCutoffs; ++k) {
    record[fmt::format("ndcg@{}", k)] = query.ndcg[k - 1];
    record[fmt::format("p@{}", k)] = query.precision[k - 1];
  }
  return record;
}

}  // namespace

double gain(Ndcg variant, Grade grade) {
  return variant == Ndcg::kLinear ? grade : std::ldexp(1.0, grade) - 1;
}

double discount(Ndcg variant, Index j) {
  assert(j >= 1);
  if (variant == Ndcg::kLetor) return j <= 2 ? 1 : 1 / portable_log2(static_cast<double>(j));
  return 1 / portable_log2(1 + static_cast<double>(j));
}

std::vector<Index> ranking(std::span<const double> scores) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return scores[a] > scores[b]; });
  return order;
}

QueryScores score_ranking(std::span<const Grade> ranked, Ndcg variant, Empty empty) {
  assert(!ranked.empty());
  QueryScores scores;
  scores.documents = ranked.size();
  scores.relevant = static_cast<Index>(
      std::count_if(ranked.begin(), ranked.end(), [](Grade grade) { return grade > 0; }));
  score_precision(ranked, scores);
  if (scores.relevant == 0) {
    const double value = empty == Empty::kOne ? 1 : 0;
    scores.ndcg.fill(value);
    scores.average_precision = scores.full_ndcg = scores.mean_ndcg = value;
    return scores;
  }
  std::vector<Grade> ideal(ranked.begin(), ranked.end());
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  const std::vector<double> found = cumulated_gain(ranked, variant);
  const std::vector<double> best = cumulated_gain(ideal, variant);
  const auto at = [&](Index k) {
    const Index j = std::min(k, ranked.size()) - 1;
    return found[j] / best[j];
  };
  for (Index k = 1; k <= kCutoffs; ++k) scores.ndcg[k - 1] = at(k);
  scores.full_ndcg = at(ranked.size());
  double sum = 0;
  for (Index k = 1; k <= ranked.size(); ++k) sum += at(k);
  scores.mean_ndcg = sum / static_cast<double>(ranked.size());
  return scores;
}

void RankScores::add(std::string id, std::span<const Grade> grades,
                     std::span<const double> scores) {
  std::vector<Grade> ranked;
  ranked.reserve(grades.size());
  for (const Index d : ranking(scores)) ranked.push_back(grades[d]);
  queries_.push_back(score_ranking(ranked, variant_, empty_));
  queries_.back().id = std::move(id);
}

// Precision is defined without relevant documents, so all queries count.
template <class Figure>
double RankScores::mean(const Figure& figure, bool all) const {
  double sum = 0;
  Index count = 0;
  for (const QueryScores& query : queries_) {
    if (!all && !counts(query)) continue;
    sum += figure(query);
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

Index RankScores::num_documents() const {
  Index sum = 0;
  for (const QueryScores& query : queries_) sum += query.documents;
  return sum;
}

Index RankScores::num_empty() const {
  return static_cast<Index>(std::count_if(queries_.begin(), queries_.end(),
                                          [](const auto& query) { return query.relevant == 0; }));
}

double RankScores::ndcg(Index k) const {
  return mean([k](const QueryScores& query) { return query.ndcg[k - 1]; }, false);
}

double RankScores::precision(Index k) const {
  return mean([k](const QueryScores& query) { return query.precision[k - 1]; }, true);
}

double RankScores::map() const {
  return mean([](const QueryScores& query) { return query.average_precision; }, false);
}

double RankScores::full_ndcg() const {
  return mean([](const QueryScores& query) { return query.full_ndcg; }, false);
}

double RankScores::mean_ndcg() const {
  return mean([](const QueryScores& query) { return query.mean_ndcg; }, false);
}

Value RankScores::record(bool per_query) const {
  Value record;
  for (Index k = 1; k <= kCutoffs; ++k) {
    record[fmt::format("ndcg@{}", k)] = ndcg(k);
    record[fmt::format("p@{}", k)] = precision(k);
  }
  record["map"] = map();
  record["ndcg"] = full_ndcg();
  record["mean_ndcg"] = mean_ndcg();
  record["variant"] = to_string(variant_);
  record["empty"] = to_string(empty_);
  record["queries"] = queries_.size();
  record["documents"] = num_documents();
  record["queries_without_relevant"] = num_empty();
  if (!per_query) return record;
  record["per_query"] = Value::list();
  for (const QueryScores& query : queries_) record["per_query"].push_back(query_record(query));
  return record;
}

std::string RankScores::to_text(bool per_query) const {
  std::string text;
  if (per_query) {
    text += "query\tdocuments\trelevant\tNDCG@1\tNDCG@3\tNDCG@5\tNDCG@10\tP@10\tAP\n";
    for (const QueryScores& query : queries_) {
      text +=
          fmt::format("{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\n", query.id,
                      query.documents, query.relevant, query.ndcg[0], query.ndcg[2], query.ndcg[4],
                      query.ndcg[9], query.precision[9], query.average_precision);
    }
    text += "\n";
  }
  text += fmt::format("{} queries, {} documents", queries_.size(), num_documents());
  if (num_empty() > 0) {
    text += fmt::format(" ({} queries without a relevant document: {})", num_empty(),
                        empty_ == Empty::kSkip ? std::string("left out")
                                               : fmt::format("NDCG {}", to_string(empty_)));
  }
  text += fmt::format("\nNDCG ({})", to_string(variant_));
  for (const Index k : kShown) text += fmt::format("  @{} {:.4f}", k, ndcg(k));
  text += fmt::format("  all {:.4f}\nP      ", full_ndcg());
  for (const Index k : kShown) text += fmt::format("  @{} {:.4f}", k, precision(k));
  return text + fmt::format("\nMAP {:.4f}\n", map());
}

Selection::Selection(std::string_view name) : name_(name) {
  if (name == "mean" || name == "map") return;
  constexpr std::string_view kPrefix = "ndcg@";
  const auto k = name.starts_with(kPrefix) ? parse_integer(name.substr(kPrefix.size())) : 0;
  if (!k || *k < 1 || *k > static_cast<long long>(kCutoffs)) {
    throw UsageError(
        fmt::format("--select is '{}': expected ndcg@1 … ndcg@10, mean (of these) or map", name));
  }
  cutoff_ = static_cast<Index>(*k);
}

std::vector<double> Selection::tally(const RankScores& scores) const {
  const bool map = name_ == "map";
  const Index first = cutoff_ > 0 ? cutoff_ - 1 : 0;
  const Index measures = cutoff_ > 0 || map ? 1 : kCutoffs;
  std::vector<double> sums(1 + measures, 0.0);
  for (const QueryScores& query : scores.queries()) {
    if (!scores.counts(query)) continue;
    ++sums[0];
    for (Index k = 0; k < measures; ++k) {
      sums[1 + k] += map ? query.average_precision : query.ndcg[first + k];
    }
  }
  return sums;
}

double Selection::figure(std::span<const double> tally) const {
  if (tally[0] == 0) return 0;
  double sum = 0;
  for (const double measure : tally.subspan(1)) sum += measure / tally[0];
  return sum / static_cast<double>(tally.size() - 1);
}

}  // namespace trellis::rank
