// Which lists of documents a ranker is trained on (Petterson 2011, sec. 5.4.1): from each query,
// bootstrap subsets of M documents with at least one of every grade that the query has, as many as
// `fraction` · D · M for D documents, or all there are.
//
// A subset is drawn uniformly from those of M distinct documents that have every grade: first how
// many of each grade (by counting, so that a rare grade costs no rejected draws), then which. Draws
// are keyed by (seed, query, subset), so they depend on nothing else. A query with fewer documents
// than M gives itself as a whole, and one with more grades than M is drawn from with as many
// documents as it has grades; a query whose documents share one grade says nothing and gives none.
//
// The position weights c_j of a list of M documents, j = 1 … M, which may not rise:
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

// What becomes of documents of one grade in a list (problem/ranking_model.h).
enum class Ties {
  kLevel,   // they share the mean c of their positions: their order has no say
  kSample,  // the order in which they were drawn counts as true (the thesis)
};
constexpr auto names_of(Ties) {
  return Names{"treatment of ties", "level", "sample"};
}

struct SubsetOptions {
  Index size = 0;         // M; 0: the number of grades in the training set, at least 2
  double fraction = 0.4;  // of D · M; above 0
  bool all = false;       // every subset once, instead of draws; size 2 or 3 alone
  Position position = Position::kLinear;
  Ties ties = Ties::kLevel;
  std::uint64_t seed = 1;

  // More lists than this are refused.
  static constexpr Index kMaxLists = Index{1} << 28;
};

// M as it will be: the number of grades that occur in the queries, where it is not given; at most
// the documents of the largest query.
Index resolve_size(const SubsetOptions& options, std::span<const Query> queries);

// Lists whose documents are numbered through all queries, in the order given. Throws UsageError for
// options that do not fit, InputError (about `file`) if no query has documents of two grades.
RankedLists draw_subsets(std::span<const Query> queries, const SubsetOptions& options,
                         const std::string& file);

}  // namespace trellis::rank
