#include "trellis/tasks/rank/rank_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/base/text.h"
#include "trellis/solve/vectors/elementary_functions.h"
#include "trellis/tasks/rank/boosting.h"

namespace trellis::rank {
namespace {

constexpr std::uint64_t kDirectionStream = 0x646972;  // key of the random numbers
constexpr std::uint64_t kPhaseStream = 0x706861;

// Default number of trees.
constexpr Index kUsualTrees = 100;
constexpr Index kUsualLeaves = 8;

// Distinct quantiles 0/(B − 1), 1/(B − 1), …, 1 of `values`; sorts `values`.
std::vector<float> quantile_knots(std::vector<float>& values, Index count) {
  std::sort(values.begin(), values.end());
  std::vector<float> knots;
  for (Index b = 0; b < count; ++b) {
    const Index at = b * (values.size() - 1) / (count - 1);
    if (knots.empty() || values[at] > knots.back()) knots.push_back(values[at]);
  }
  return knots;
}

// Normalised values t of all training documents, by column.
std::vector<std::vector<float>> places_by_column(const RankFeatures& features,
                                                 std::span<const Query> queries) {
  std::vector<std::vector<float>> places(features.num_columns());
  QueryColumns columns(features.indices, features.normalization, features.scales);
  for (const Query& query : queries) {
    columns.load(query);
    for (const QueryColumns::Base& base : columns.bases()) {
      places[base.column].insert(places[base.column].end(), base.lacking,
                                 static_cast<float>(base.place));
    }
    for (Index d = 0; d < query.num_documents(); ++d) {
      for (const QueryColumns::Value& value : columns.document(d)) {
        places[value.column].push_back(static_cast<float>(value.place));
      }
    }
  }
  return places;
}

void learn_knots(RankFeatures& features, std::span<const Query> queries) {
  features.knot_begin.assign(1, 0);
  for (std::vector<float>& values : places_by_column(features, queries)) {
    const std::vector<float> knots = quantile_knots(values, features.expansion.size);
    // A single knot would be a constant.
    if (knots.size() > 1) features.knots.insert(features.knots.end(), knots.begin(), knots.end());
    features.knot_begin.push_back(static_cast<std::uint32_t>(features.knots.size()));
    std::vector<float>().swap(values);
  }
}

// The mean of ‖t − t'‖² over pairs of documents of a query: twice the variance within queries.
double mean_squared_distance(const RankFeatures& features, std::span<const Query> queries) {
  QueryColumns columns(features.indices, features.normalization, features.scales);
  std::vector<double> mean(features.num_columns());
  double squares = 0;
  double documents = 0;
  for (const Query& query : queries) {
    columns.load(query);
    const auto n = static_cast<double>(query.num_documents());
    documents += n;
    for (Index d = 0; d < query.num_documents(); ++d) {
      for (const auto& value : columns.document(d)) {
        mean[value.column] += value.stored / n;
        squares += value.stored * value.stored;
      }
    }
    for (Index d = 0; d < query.num_documents(); ++d) {
      for (const auto& value : columns.document(d)) {
        double& m = mean[value.column];
        squares -= n * m * m;
        m = 0;
      }
    }
  }
  return 2 * std::max(0.0, squares) / std::max(1.0, documents);
}

void learn_directions(RankFeatures& features, std::span<const Query> queries, std::uint64_t seed) {
  const Index k = features.expansion.size;
  const double distance = mean_squared_distance(features, queries);
  const double deviation = distance > 0 ? 1 / std::sqrt(distance) : 0;
  features.directions.resize(features.num_columns() * k);
  for (Index c = 0; c < features.num_columns(); ++c) {
    Random random(seed, features.indices[c], kDirectionStream);
    for (Index m = 0; m < k; ++m) {
      features.directions[c * k + m] = static_cast<float>(deviation * random.normal());
    }
  }
  Random random(seed, 0, kPhaseStream);
  for (Index m = 0; m < k; ++m) {
    features.phases.push_back(static_cast<float>(2 * std::numbers::pi * random.uniform()));
  }
}

void grow_trees(RankFeatures& features, std::span<const Query> queries, const RankedLists& lists,
                int threads) {
  for (Index i = 0; i < lists.size(); ++i) {
    if (lists[i].size() > kLargestPermanent) {
      throw UsageError(
          fmt::format("--expand trees requires sums over the orders of a subset, which are not "
                      "possible for {} documents: --size must be at most {}",
                      lists[i].size(), kLargestPermanent));
    }
  }
  BoostOptions options;
  options.trees = features.expansion.size;
  options.shape.leaves = features.expansion.leaves;
  options.threads = threads;
  features.trees = boost(features.indices, queries, lists, options);
}

}  // namespace

// Appends documents as rows: by non-zeros, or densely if few values are 0.
class RowBuilder {
 public:
  explicit RowBuilder(const RankFeatures& features)
      : features_(features),
        columns_(features.indices, features.normalization, features.scales),
        row_(features.dimension(), 0.0) {}

  void add(const Query& query) {
    columns_.load(query);
    if (features_.expansion.kind == Expansion::Kind::kRandom) project_bases();
    for (Index d = 0; d < query.num_documents(); ++d) {
      for (const QueryColumns::Value& value : columns_.document(d)) add(value.column, value.stored);
      if (features_.expansion.kind == Expansion::Kind::kBinned) add_hats(d);
      if (features_.expansion.kind == Expansion::Kind::kRandom) add_random(d);
      if (features_.expansion.kind == Expansion::Kind::kTrees) add_leaves(query.document(d));
      finish_row();
    }
  }

  double score(Index r, std::span<const double> w) const {
    double sum = 0;
    for (Index at = begin_[r]; at < begin_[r + 1]; ++at) {
      sum += static_cast<double>(values_[at]) * w[ids_[at]];
    }
    return sum;
  }

  void clear() {
    begin_.assign(1, 0);
    ids_.clear();
    values_.clear();
  }

  FeatureRows finish() && {
    const Index width = row_.size();
    if (width == 0) {  // no document has features: one empty column
      return FeatureRows::sparse(0, std::move(begin_), {}, {});
    }
    const Index rows = begin_.size() - 1;
    if (rows == 0 || ids_.size() < rows * width / 2) {
      return FeatureRows::sparse(width, std::move(begin_), std::move(ids_), std::move(values_));
    }
    std::vector<float> dense(rows * width, 0.0F);
    for (Index r = 0; r < rows; ++r) {
      for (Index at = begin_[r]; at < begin_[r + 1]; ++at)
        dense[r * width + ids_[at]] = values_[at];
    }
    return FeatureRows::dense(width, std::move(dense));
  }

 private:
  void add(Index w, double value) {
    if (row_[w] == 0) active_.push_back(static_cast<std::uint32_t>(w));
    row_[w] += value;
  }

  // Adds hat_b(t) for the knots of a column, times `factor`.
  void add_hat(Index column, double t, double factor) {
    const Index begin = features_.knot_begin[column];
    const Index end = features_.knot_begin[column + 1];
    if (begin == end) return;
    const auto first = features_.knots.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = features_.knots.begin() + static_cast<std::ptrdiff_t>(end);
    const auto above = std::upper_bound(first, last, t);
    const Index place = features_.num_columns() + begin;
    const auto b = static_cast<Index>(above - first);
    if (above == first) return add(place, factor);
    if (above == last) return add(place + b - 1, factor);
    const double low = *(above - 1);
    const double share = (t - low) / (*above - low);
    add(place + b - 1, factor * (1 - share));
    add(place + b, factor * share);
  }

  void add_hats(Index d) {
    Index next = 0;  // in the bases, which ascend by column like the values
    const auto bases = columns_.bases();
    for (const QueryColumns::Value& value : columns_.document(d)) {
      add_hat(value.column, value.place, 1);
      while (next < bases.size() && bases[next].column < value.column) ++next;
      if (next < bases.size() && bases[next].column == value.column) {
        add_hat(value.column, bases[next].place, -1);
      }
    }
  }

  void project(Index column, double t, std::vector<double>& sums) const {
    const Index k = features_.expansion.size;
    const auto direction = std::span(features_.directions).subspan(column * k, k);
    for (Index m = 0; m < k; ++m) sums[m] += t * static_cast<double>(direction[m]);
  }

  void project_bases() {
    base_.assign(features_.phases.begin(), features_.phases.end());
    for (const QueryColumns::Base& base : columns_.bases()) project(base.column, base.place, base_);
  }

  void add_random(Index d) {
    angles_ = base_;
    for (const QueryColumns::Value& value : columns_.document(d)) {
      project(value.column, value.stored, angles_);
    }
    const auto k = static_cast<double>(features_.expansion.size);
    for (Index m = 0; m < angles_.size(); ++m) {
      add(features_.num_columns() + m, std::sqrt(2 / k) * portable_cos(angles_[m]));
    }
  }

  void add_leaves(std::span<const IndexedValue> document) {
    const std::vector<std::uint32_t>& indices = features_.indices;
    raw_.assign(indices.size(), 0.0F);
    auto at = indices.begin();
    for (const IndexedValue& value : document) {
      at = std::lower_bound(at, indices.end(), value.index);
      if (at == indices.end()) break;
      if (*at == value.index) raw_[static_cast<Index>(at - indices.begin())] = value.value;
    }
    for (Index t = 0; t < features_.trees.size(); ++t) {
      add(features_.num_columns() + features_.trees.leaf(t, raw_), 1);
    }
  }

  void finish_row() {
    std::sort(active_.begin(), active_.end());
    active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
    for (const std::uint32_t w : active_) {
      const double value = std::exchange(row_[w], 0.0);
      if (value == 0) continue;
      ids_.push_back(w);
      constexpr double kLargest = std::numeric_limits<float>::max();
      values_.push_back(static_cast<float>(std::clamp(value, -kLargest, kLargest)));
    }
    active_.clear();
    if (ids_.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw UsageError("the documents have more than 2^32 features in total, which is too many");
    }
    begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
  }

  const RankFeatures& features_;
  QueryColumns columns_;
  std::vector<double> row_;
  std::vector<std::uint32_t> active_;
  std::vector<double> base_, angles_;
  std::vector<float> raw_;  // values of a document, by column
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
};

Expansion Expansion::parse(std::string_view spec) {
  if (spec == "none") return {};
  const Index colon = std::min(spec.find(':'), spec.size());
  const std::string_view name = spec.substr(0, colon);
  const std::string_view numbers = spec.substr(std::min(colon + 1, spec.size()));
  const Index comma = std::min(numbers.find(','), numbers.size());
  const auto number = [](std::string_view text, Index fewest, Index most) {
    const long long said = parse_integer(text).value_or(-1);
    const bool fits =
        said >= static_cast<long long>(fewest) && said <= static_cast<long long>(most);
    return fits ? static_cast<Index>(said) : 0;
  };
  Expansion made;
  if (name == "binned") made = {Kind::kBinned, number(numbers, 2, kMaxSize)};
  if (name == "random") made = {Kind::kRandom, number(numbers, 1, kMaxSize)};
  if (name == "trees") {
    const bool says_count = colon < spec.size();
    const bool says_leaves = comma < numbers.size();
    made = {Kind::kTrees, says_count ? number(numbers.substr(0, comma), 1, kMaxSize) : kUsualTrees,
            says_leaves ? number(numbers.substr(comma + 1), 2, Trees::kMaxLeaves) : kUsualLeaves};
    if (made.leaves == 0) made.size = 0;
  }
  if (made.size == 0) {
    throw UsageError(
        fmt::format("unknown expansion '{}': expected none, binned:B (B from 2), random:K or "
                    "trees:K,L (L leaves, "
                    "2 to {}), B and K up to {}",
                    spec, Trees::kMaxLeaves, kMaxSize));
  }
  return made;
}

std::string Expansion::to_string() const {
  switch (kind) {
    case Kind::kNone:
      break;
    case Kind::kBinned:
      return fmt::format("binned:{}", size);
    case Kind::kRandom:
      return fmt::format("random:{}", size);
    case Kind::kTrees:
      return fmt::format("trees:{},{}", size, leaves);
  }
  return "none";
}

RankFeatures RankFeatures::learn(std::span<const Query> queries, Normalization normalization,
                                 const Expansion& expansion, std::uint64_t seed,
                                 const RankedLists& lists, int threads) {
  RankFeatures features;
  features.indices = feature_indices(queries);
  features.normalization = normalization;
  features.expansion = expansion;
  if (normalization == Normalization::kScale) {
    features.scales = within_query_scales(features.indices, queries);
  }
  if (expansion.kind == Expansion::Kind::kBinned) learn_knots(features, queries);
  if (expansion.kind == Expansion::Kind::kRandom) learn_directions(features, queries, seed);
  if (expansion.kind == Expansion::Kind::kTrees) grow_trees(features, queries, lists, threads);
  return features;
}

Index RankFeatures::dimension() const {
  switch (expansion.kind) {
    case Expansion::Kind::kNone:
      break;
    case Expansion::Kind::kBinned:
      return num_columns() + knots.size();
    case Expansion::Kind::kRandom:
      return num_columns() + expansion.size;
    case Expansion::Kind::kTrees:
      return num_columns() + trees.num_leaves();
  }
  return num_columns();
}

std::string RankFeatures::weight_name(Index w) const {
  if (w < num_columns()) return fmt::format("{}", indices[w]);
  const Index k = w - num_columns();
  if (expansion.kind == Expansion::Kind::kRandom) return fmt::format("random {}", k + 1);
  if (expansion.kind == Expansion::Kind::kTrees) return trees.path_to(k, indices);
  const auto above = std::upper_bound(knot_begin.begin(), knot_begin.end(), k);
  const auto column = static_cast<Index>(above - knot_begin.begin()) - 1;
  return fmt::format("{} at {:.4g}", indices[column], knots[k]);
}

FeatureRows RankFeatures::rows(std::span<const Query> queries) const {
  RowBuilder builder(*this);
  for (const Query& query : queries) builder.add(query);
  return std::move(builder).finish();
}

double document_score(const FeatureRows& rows, Index r, std::span<const double> w) {
  double sum = 0;
  rows.for_each(r, [&](Index k, double x) { sum += x * w[k]; });
  return sum;
}

QueryScorer::QueryScorer(const RankFeatures& features, std::span<const double> weights)
    : rows_(std::make_unique<RowBuilder>(features)), weights_(weights) {}
QueryScorer::QueryScorer(QueryScorer&&) noexcept = default;
QueryScorer::~QueryScorer() = default;

void QueryScorer::score(const Query& query, std::vector<double>& scores) {
  rows_->clear();
  rows_->add(query);
  scores.clear();
  for (Index d = 0; d < query.num_documents(); ++d) scores.push_back(rows_->score(d, weights_));
}

}  // namespace trellis::rank
