// A document as the vector of a ranker: its normalised features (query_columns.h) and, on request,
// non-linear functions of these features.
//
//   linear      t_k
//   binned:B    in addition B "hats" for each feature: hat_b rises from 0 at knot b − 1 to 1 at
//               knot b and falls to 0 at knot b + 1; it is flat beyond the ends. Knots are the
//               distinct quantiles of t_k over the training documents; the score becomes any
//               piecewise linear function of the feature.
//   random:K    in addition √(2/K) cos(ω_m·t + φ_m), m = 1 … K, with ω_m ~ N(0, I/σ²) and uniform
//               φ_m (Rahimi & Recht 2007): inner products near those of a Gaussian kernel; σ² is
//               the mean squared distance of two documents of a query.
//   trees:K,L   in addition, for each of K trees of up to L leaves, the indicator of the document's
//               leaf: the score becomes a sum of functions of several features. Trees split on
//               the features of the file and are boosted on the loss (boosting.h); the learner
//               finds the weights of leaves with all others (as He et al. 2014, "Practical lessons
//               from predicting clicks on ads at Facebook", do with logistic regression).
//
// Constants per query are omitted, as in query_columns.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/formats/queries/query.h"
#include "trellis/problem/ranking_model.h"
#include "trellis/tasks/rank/query_columns.h"
#include "trellis/tasks/rank/trees.h"

namespace trellis::rank {

struct Expansion {
  enum class Kind { kNone, kBinned, kRandom, kTrees };
  Kind kind = Kind::kNone;
  Index size = 0;    // B or K
  Index leaves = 0;  // L, only for trees

  static constexpr Index kMaxSize = 65536;
  // Parses "none", "binned:8", "random:200", "trees", "trees:50", "trees:50,12"; throws UsageError.
  static Expansion parse(std::string_view spec);
  std::string to_string() const;
};

// The part of a model that turns documents into vectors.
struct RankFeatures {
  std::vector<std::uint32_t> indices;  // of the columns, ascending
  Normalization normalization = Normalization::kZscore;
  std::vector<double> scales;  // kScale: by column
  Expansion expansion;
  std::vector<std::uint32_t> knot_begin;  // kBinned: D + 1 bounds of the columns' knots
  std::vector<float> knots;               // ascending within a column
  std::vector<float> directions;          // kRandom: ω, at [column · K + m]
  std::vector<float> phases;              // kRandom: φ

  Trees trees;  // kTrees

  // Learns scales, knots, directions and trees from training queries. Trees also use the grades in
  // `lists` of documents (numbered through all queries). Throws UsageError if the lists are too
  // long for trees.
  static RankFeatures learn(std::span<const Query> queries, Normalization normalization,
                            const Expansion& expansion, std::uint64_t seed,
                            const RankedLists& lists = {}, int threads = 1);

  Index num_columns() const { return indices.size(); }
  Index dimension() const;
  // The name of weight w: "7", "7 at 0.25" (a hat), "random 3", "7 > 0.1, 3 <= 2" (a leaf).
  std::string weight_name(Index w) const;

  // The vectors of all documents, query after query. Throws InputError if they have more than 2³²
  // numbers.
  FeatureRows rows(std::span<const Query> queries) const;
};

// ⟨ψ, w⟩ of row r.
double document_score(const FeatureRows& rows, Index r, std::span<const double> w);

// Scores one query after another; reuses its memory.
class QueryScorer {
 public:
  // Both must outlive the object.
  QueryScorer(const RankFeatures& features, std::span<const double> weights);
  QueryScorer(QueryScorer&&) noexcept;
  ~QueryScorer();

  void score(const Query& query, std::vector<double>& scores);

 private:
  std::unique_ptr<class RowBuilder> rows_;
  std::span<const double> weights_;
};

}  // namespace trellis::rank
