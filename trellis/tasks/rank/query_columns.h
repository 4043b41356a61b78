// The features of a query's documents on a scale that queries share:
//
//   none    t(x) = x
//   scale   t(x) = x / σ_k, where σ_k² is the variance of feature k within the training queries
//   minmax  t(x) = (x − min) / (max − min) over the documents of the query     (LETOR's own)
//   zscore  t(x) = (x − mean) / σ over the documents of the query
//
// A feature that all documents of the query share says nothing about their order: it becomes 0
// under minmax and zscore. A document that does not mention a feature has x = 0.
//
// Adding the same to all documents of a query changes no ranking, and neither the loss of one. So
// what is stored of a document is t(x) − t(0) where some document lacks the feature, and t(x) where
// none does: what is sparse stays sparse.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/queries/query.h"

namespace trellis::rank {

enum class Normalization { kNone, kScale, kMinmax, kZscore };
constexpr auto names_of(Normalization) {
  return Names{"normalization", "none", "scale", "minmax", "zscore"};
}

// The features of a training set, ascending, each of which is a column.
std::vector<std::uint32_t> feature_indices(std::span<const Query> queries);
// 1/σ_k of each of these, and 0 where no query has documents that differ in it.
std::vector<double> within_query_scales(std::span<const std::uint32_t> indices,
                                        std::span<const Query> queries);

// One query at a time; keeps its memory from query to query.
class QueryColumns {
 public:
  struct Value {
    std::uint32_t column;
    double stored;  // t(x) − t(0), or t(x) where all documents have the feature
    double place;   // t(x)
  };
  struct Base {  // of a column that some document lacks
    std::uint32_t column;
    Index lacking;  // how many do
    double place;   // t(0)
  };

  // `indices` and `scales` must outlive the object; `scales` counts with kScale alone.
  QueryColumns(std::span<const std::uint32_t> indices, Normalization normalization,
               std::span<const double> scales);

  // Features that are no column are left out.
  void load(const Query& query);

  std::span<const Value> document(Index d) const {
    return std::span(values_).subspan(begin_[d], begin_[d + 1] - begin_[d]);
  }
  // Of the columns that occur in the query but not in all of its documents.
  std::span<const Base> bases() const { return bases_; }

 private:
  struct Column {
    Index count = 0;  // documents that have it
    double min = 0, max = 0, mean = 0, squares = 0;
    double shift = 0, factor = 1;
  };

  void collect(const Query& query);
  void measure(Index documents);
  void place(Column& column, std::uint32_t k) const;

  std::span<const std::uint32_t> indices_;
  Normalization normalization_;
  std::span<const double> scales_;
  std::vector<Column> columns_;         // by column; only those touched mean anything
  std::vector<std::uint32_t> touched_;  // ascending
  std::vector<Index> begin_;
  std::vector<Value> values_;
  std::vector<Base> bases_;
};

}  // namespace trellis::rank
