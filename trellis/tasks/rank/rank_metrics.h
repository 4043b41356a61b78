// Metrics of a ranking: the documents of a query in predicted order have the gold grades r(1),
// r(2), …
//
//   NDCG@k = DCG@k / (DCG@k of the best order),   DCG@k = Σ_{j ≤ k} gain(r(j)) · discount(j)
//
//   variant   gain      discount
//   standard  2^r − 1   1/log2(1 + j)                 eq. (5.14); Burges et al. 2005
//   letor     2^r − 1   1, 1, 1/log2(3), 1/log2(4)…   the scripts of LETOR 2.0 to 4.0 and of MSLR
//                                                     (letor_scripts.h), which divide by log2(j)
//   linear    r         1/log2(1 + j)                 Järvelin & Kekäläinen 2002, as in TREC
//
//   P@k    number of relevant documents among the first k, divided by k (even if there are fewer)
//   AP     mean of P@j over the positions j of relevant documents; MAP is the mean over queries
//
// Documents with a grade above 0 are relevant. For a query with fewer than k documents, NDCG@k is
// the NDCG at its last document. Documents with equal scores keep the order of the file.
//
// A query without a relevant document has no NDCG and no AP. LETOR's scripts count both as 0, and
// so do we by default; LightGBM and XGBoost count 1; such queries can also be left out (Empty).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/queries/query.h"

namespace trellis::rank {

enum class Ndcg { kStandard, kLetor, kLinear };
constexpr auto names_of(Ndcg) {
  return Names{"variant of NDCG", "standard", "letor", "linear"};
}

double gain(Ndcg variant, Grade grade);
double discount(Ndcg variant, Index j);  // j from 1

// The NDCG and AP of a query without a relevant document.
enum class Empty { kZero, kOne, kSkip };
constexpr auto names_of(Empty) {
  return Names{"score of a query without a relevant document", "0", "1", "skip"};
}

// The documents by decreasing score; ties in the given order.
std::vector<Index> ranking(std::span<const double> scores);

// The cut-offs of the means: k = 1 … kCutoffs.
inline constexpr Index kCutoffs = 10;

struct QueryScores {
  std::string id;
  Index documents = 0;
  Index relevant = 0;
  std::array<double, kCutoffs> ndcg{};  // at 1 … 10
  std::array<double, kCutoffs> precision{};
  double average_precision = 0;
  double full_ndcg = 0;  // at the number of documents
  double mean_ndcg = 0;  // over all cut-offs 1 … documents, as in LETOR's scripts
};

// `ranked` has the grades in predicted order; it must not be empty.
QueryScores score_ranking(std::span<const Grade> ranked, Ndcg variant, Empty empty = Empty::kZero);

// Means over queries, with equal weights.
class RankScores {
 public:
  explicit RankScores(Ndcg variant = Ndcg::kStandard, Empty empty = Empty::kZero)
      : variant_(variant), empty_(empty) {}

  // Whether a query counts in the means of NDCG and AP.
  bool counts(const QueryScores& query) const {
    return empty_ != Empty::kSkip || query.relevant > 0;
  }

  // Adds a query; documents are in the order of the file.
  void add(std::string id, std::span<const Grade> grades, std::span<const double> scores);

  Ndcg variant() const { return variant_; }
  Empty empty() const { return empty_; }
  const std::vector<QueryScores>& queries() const { return queries_; }
  Index num_documents() const;
  Index num_empty() const;     // queries without a relevant document
  double ndcg(Index k) const;  // 1 ≤ k ≤ kCutoffs
  double precision(Index k) const;
  double map() const;
  double full_ndcg() const;
  double mean_ndcg() const;

  // Keys ndcg@1 … ndcg@10, p@1 … p@10, map, ndcg, mean_ndcg, variant, empty, queries, documents,
  // queries_without_relevant; with `per_query` also per_query, a list of the same for each.
  Value record(bool per_query) const;
  std::string to_text(bool per_query) const;

 private:
  template <class Figure>
  double mean(const Figure& figure, bool all) const;

  Ndcg variant_;
  Empty empty_;
  std::vector<QueryScores> queries_;
};

// The metric that chooses a model: "ndcg@k", "mean" (of NDCG@1 … 10) or "map"; higher is better.
class Selection {
 public:
  explicit Selection(std::string_view name = "mean");  // throws UsageError
  const std::string& to_string() const { return name_; }
  double operator()(const RankScores& scores) const { return figure(tally(scores)); }

  // Its parts as numbers that add up over sets of queries: the number of queries that count, and
  // the sum of each metric over these.
  std::vector<double> tally(const RankScores& scores) const;
  double figure(std::span<const double> tally) const;

 private:
  std::string name_;
  Index cutoff_ = 0;
};

}  // namespace trellis::rank
