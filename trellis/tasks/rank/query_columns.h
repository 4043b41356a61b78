// Normalises the features of a query's documents, so that queries become comparable:
//
//   none    t(x) = x
//   scale   t(x) = x / σ_k, where σ_k² is the variance of feature k within the training queries
//   minmax  t(x) = (x − min) / (max − min) over the documents of the query     (LETOR's own)
//   zscore  t(x) = (x − mean) / σ over the documents of the query
//
// A feature with one value in all documents of the query has no influence on their order: it
// becomes 0 with minmax and zscore. A document without a feature has x = 0.
//
// Adding a constant to all documents of a query changes neither their ranking nor its loss. A
// document therefore stores t(x) − t(0) if some document of the query lacks the feature, and t(x)
// otherwise: sparse data stay sparse.
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

// The features of a training set, ascending; each one becomes a column.
std::vector<std::uint32_t> feature_indices(std::span<const Query> queries);
// 1/σ_k for each of these; 0 if it is constant in every query.
std::vector<double> within_query_scales(std::span<const std::uint32_t> indices,
                                        std::span<const Query> queries);

// Holds one query at a time; reuses its memory.
class QueryColumns {
 public:
  struct Value {
    std::uint32_t column;
    double stored;  // t(x) − t(0), or t(x) where all documents have the feature
    double place;   // t(x)
  };
  struct Base {  // of a column that some document lacks
    std::uint32_t column;
    Index lacking;  // number of these documents
    double place;   // t(0)
  };

  // `indices` and `scales` must outlive the object; only kScale uses `scales`.
  QueryColumns(std::span<const std::uint32_t> indices, Normalization normalization,
               std::span<const double> scales);

  // Features that are not columns are left out.
  void load(const Query& query);

  std::span<const Value> document(Index d) const {
    return std::span(values_).subspan(begin_[d], begin_[d + 1] - begin_[d]);
  }
  // For the columns that occur in some but not all documents of the query.
  std::span<const Base> bases() const { return bases_; }

 private:
  struct Column {
    Index count = 0;  // number of documents with the feature
    double min = 0, max = 0, mean = 0, squares = 0;
    double shift = 0, factor = 1;
  };

  void collect(const Query& query);
  void measure(Index documents);
  void place(Column& column, std::uint32_t k) const;

  std::span<const std::uint32_t> indices_;
  Normalization normalization_;
  std::span<const double> scales_;
  std::vector<Column> columns_;         // by column; valid only for touched ones
  std::vector<std::uint32_t> touched_;  // ascending
  std::vector<Index> begin_;
  std::vector<Value> values_;
  std::vector<Base> bases_;
};

}  // namespace trellis::rank
