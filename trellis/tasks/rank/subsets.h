// The lists of documents for training (Petterson 2011, sec. 5.4.1): from each query with D
// documents, `fraction` · D · M bootstrap subsets of M documents with at least one of every grade
// in the query, or all such subsets.
//
// A subset is drawn uniformly from those of M distinct documents with every grade: first the number
// of documents of each grade (by counting, so that rare grades cause no rejections), then the
// documents. Draws are keyed by (seed, query, subset) and depend on nothing else. A query with
// fewer than M documents is one list; a query with more than M grades has subsets with as many
// documents as grades; a query with a single grade contains no information and has no subsets.
//
// The position weights c_j, j = 1 … M, of a list of M documents, which must not increase:
//
//   M-j      M − j                 the thesis
//   1/log    1/log2(1 + j)         the discounts of NDCG
//   1/j      1/j
//   root     (1 + j)^(−1/4)        Le & Smola 2007
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/queries/query.h"
#include "trellis/problem/ranking_model.h"

namespace trellis::rank {

enum class Position { kLinear, kLog, kReciprocal, kRoot };
constexpr auto names_of(Position) {
  return Names{"position weights", "M-j", "1/log", "1/j", "root"};
}
std::vector<double> position_weights(Position position, Index size);

// Treatment of documents with equal grades in a list (problem/ranking_model.h).
enum class Ties {
  kLevel,   // they share the mean c of their positions: their order is ignored
  kSample,  // their random order counts as the true one (the thesis)
};
constexpr auto names_of(Ties) {
  return Names{"treatment of ties", "level", "sample"};
}

struct SubsetOptions {
  Index size = 0;         // M; 0: the number of grades in the training set, at least 2
  double fraction = 0.4;  // of D · M; above 0
  bool all = false;       // each subset once, instead of draws; only size 2 or 3
  Position position = Position::kLinear;
  Ties ties = Ties::kLevel;
  std::uint64_t seed = 1;

  // More lists are refused.
  static constexpr Index kMaxLists = Index{1} << 28;
};

// The effective M: if not given, the number of grades in the queries; at most the number of
// documents of the largest query.
Index resolve_size(const SubsetOptions& options, std::span<const Query> queries);

// Draws the lists; documents are numbered through all queries, in order. Throws UsageError for
// invalid options, InputError (naming `file`) if no query has documents of two grades.
RankedLists draw_subsets(std::span<const Query> queries, const SubsetOptions& options,
                         const std::string& file);

}  // namespace trellis::rank
