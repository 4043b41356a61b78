#include "trellis/tasks/rank/query_columns.h"

#include <algorithm>
#include <cmath>

namespace trellis::rank {

std::vector<std::uint32_t> feature_indices(std::span<const Query> queries) {
  std::vector<std::uint32_t> indices;
  for (const Query& query : queries) {
    const Index known = indices.size();
    for (const IndexedValue& value : query.values) {
      if (!std::binary_search(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(known),
                              value.index)) {
        indices.push_back(value.index);
      }
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  }
  return indices;
}

std::vector<double> within_query_scales(std::span<const std::uint32_t> indices,
                                        std::span<const Query> queries) {
  std::vector<double> squares(indices.size(), 0.0);
  std::vector<double> sums(indices.size(), 0.0);
  std::vector<std::uint32_t> columns;
  double documents = 0;
  const auto column_of = [&](const IndexedValue& value) {
    return static_cast<Index>(std::lower_bound(indices.begin(), indices.end(), value.index) -
                              indices.begin());
  };
  for (const Query& query : queries) {
    const auto n = static_cast<double>(query.num_documents());
    documents += n;
    columns.clear();
    for (const IndexedValue& value : query.values) {
      const Index k = column_of(value);
      sums[k] += static_cast<double>(value.value);
      columns.push_back(static_cast<std::uint32_t>(k));
    }
    // Σ (x − m)² = Σ_{x ≠ 0} ((x − m)² − m²) + n m². The sums are computed without cancellation:
    // each zero of a column adds m².
    std::sort(columns.begin(), columns.end());
    for (const IndexedValue& value : query.values) {
      const Index k = column_of(value);
      const double deviation = static_cast<double>(value.value) - sums[k] / n;
      squares[k] += deviation * deviation;
    }
    for (Index at = 0; at < columns.size();) {
      const std::uint32_t k = columns[at];
      const Index first = at;
      while (at < columns.size() && columns[at] == k) ++at;
      const double mean = sums[k] / n;
      squares[k] += (n - static_cast<double>(at - first)) * mean * mean;
      sums[k] = 0;
    }
  }
  for (double& square : squares) {
    square = square > 0 ? 1 / std::sqrt(square / documents) : 0;
  }
  return squares;
}

QueryColumns::QueryColumns(std::span<const std::uint32_t> indices, Normalization normalization,
                           std::span<const double> scales)
    : indices_(indices), normalization_(normalization), scales_(scales), columns_(indices.size()) {}

// Until columns are measured, both numbers of a value are x instead of t.
void QueryColumns::collect(const Query& query) {
  values_.clear();
  begin_.assign(1, 0);
  touched_.clear();
  for (Index d = 0; d < query.num_documents(); ++d) {
    auto at = indices_.begin();
    for (const IndexedValue& value : query.document(d)) {
      at = std::lower_bound(at, indices_.end(), value.index);
      if (at == indices_.end()) break;
      if (*at != value.index) continue;
      const auto k = static_cast<std::uint32_t>(at - indices_.begin());
      const auto x = static_cast<double>(value.value);
      Column& column = columns_[k];
      if (column.count == 0) {
        touched_.push_back(k);
        column.min = column.max = x;
      }
      ++column.count;
      column.min = std::min(column.min, x);
      column.max = std::max(column.max, x);
      column.mean += x;
      values_.push_back({k, x, x});
    }
    begin_.push_back(values_.size());
  }
  std::sort(touched_.begin(), touched_.end());
}

// Minimum, maximum, mean and squared deviations, including documents without the feature.
void QueryColumns::measure(Index documents) {
  const auto n = static_cast<double>(documents);
  for (const std::uint32_t k : touched_) {
    Column& column = columns_[k];
    column.mean /= n;
    if (column.count == documents) continue;
    column.min = std::min(column.min, 0.0);
    column.max = std::max(column.max, 0.0);
    column.squares = (n - static_cast<double>(column.count)) * column.mean * column.mean;
  }
  for (const Value& value : values_) {
    const double deviation = value.place - columns_[value.column].mean;
    columns_[value.column].squares += deviation * deviation;
  }
  for (const std::uint32_t k : touched_) {
    columns_[k].squares /= n;
    place(columns_[k], k);
  }
}

void QueryColumns::place(Column& column, std::uint32_t k) const {
  const bool constant = !(column.max > column.min);
  switch (normalization_) {
    case Normalization::kNone:
      break;
    case Normalization::kScale:
      column.factor = scales_[k];
      break;
    case Normalization::kMinmax:
      column.shift = column.min;
      column.factor = constant ? 0 : 1 / (column.max - column.min);
      break;
    case Normalization::kZscore:
      column.shift = column.mean;
      column.factor = constant || !(column.squares > 0) ? 0 : 1 / std::sqrt(column.squares);
      break;
  }
}

void QueryColumns::load(const Query& query) {
  collect(query);
  measure(query.num_documents());
  bases_.clear();
  for (const std::uint32_t k : touched_) {
    const Column& column = columns_[k];
    if (column.count == query.num_documents()) continue;
    bases_.push_back({k, query.num_documents() - column.count, -column.shift * column.factor});
  }
  for (Value& value : values_) {
    const Column& column = columns_[value.column];
    const double x = value.place;
    value.place = (x - column.shift) * column.factor;
    value.stored = column.count == query.num_documents() ? value.place : x * column.factor;
  }
  for (const std::uint32_t k : touched_) columns_[k] = Column{};
}

}  // namespace trellis::rank
