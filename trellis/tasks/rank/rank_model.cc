#include "trellis/tasks/rank/rank_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::rank {
namespace {

// Larger than 1/σ of any floats can be, and small enough that no product with a float overflows.
constexpr double kMaxScale = 1e60;

template <class T>
std::vector<T> finite_array(const ModelReader& reader, const char* name, Index size) {
  const auto values = reader.array<T>(name, size);
  for (const T value : values) {
    if (!std::isfinite(value))
      refuse(reader, std::string("the model's ") + name + " are not finite");
  }
  return {values.begin(), values.end()};
}

void read_indices(const ModelReader& reader, RankFeatures& features) {
  const auto indices = reader.array<std::uint32_t>("indices");
  features.indices.assign(indices.begin(), indices.end());
  for (Index k = 1; k < indices.size(); ++k) {
    if (indices[k] <= indices[k - 1]) refuse(reader, "the model's features do not ascend");
  }
}

void read_knots(const ModelReader& reader, RankFeatures& features) {
  const auto begin = reader.array<std::uint32_t>("knot_begin", features.num_columns() + 1);
  const auto knots = reader.array<float>("knots");
  if (begin.front() != 0 || begin.back() != knots.size() ||
      !std::is_sorted(begin.begin(), begin.end())) {
    refuse(reader, "the model's knots do not fit its features");
  }
  features.knot_begin.assign(begin.begin(), begin.end());
  features.knots = finite_array<float>(reader, "knots", knots.size());
  for (Index c = 0; c < features.num_columns(); ++c) {
    for (Index k = begin[c] + 1; k < begin[c + 1]; ++k) {
      if (!(knots[k] > knots[k - 1])) refuse(reader, "the model's knots do not ascend");
    }
  }
}

template <class T>
std::vector<T> read_array(const ModelReader& reader, const char* name) {
  const auto values = reader.array<T>(name);
  return {values.begin(), values.end()};
}

void read_trees(const ModelReader& reader, RankFeatures& features) {
  Trees& trees = features.trees;
  trees.begin = read_array<std::uint32_t>(reader, "tree_begin");
  trees.columns = read_array<std::uint32_t>(reader, "node_columns");
  trees.thresholds = read_array<float>(reader, "node_thresholds");
  trees.children = read_array<std::int32_t>(reader, "node_children");
  trees.gains = read_array<float>(reader, "node_gains");
  if (!trees.valid(features.num_columns())) refuse(reader, "the model's trees are incomplete");
}

RankFeatures read_features(const ModelReader& reader, const Value& meta) {
  RankFeatures features;
  features.normalization = parse_named<Normalization>(meta.at("normalization").get<std::string>());
  features.expansion = Expansion::parse(meta.at("expansion").get<std::string>());
  read_indices(reader, features);
  if (features.normalization == Normalization::kScale) {
    features.scales = finite_array<double>(reader, "scales", features.num_columns());
    for (const double scale : features.scales) {
      if (!(scale >= 0 && scale <= kMaxScale))
        refuse(reader, "a scale of the model is out of range");
    }
  }
  switch (features.expansion.kind) {
    case Expansion::Kind::kNone:
      break;
    case Expansion::Kind::kBinned:
      read_knots(reader, features);
      break;
    case Expansion::Kind::kRandom:
      features.directions = finite_array<float>(reader, "directions",
                                                features.num_columns() * features.expansion.size);
      features.phases = finite_array<float>(reader, "phases", features.expansion.size);
      break;
    case Expansion::Kind::kTrees:
      read_trees(reader, features);
      break;
  }
  return features;
}

}  // namespace

RankModel::RankModel(RankFeatures features, std::vector<double> weights, const Value& training)
    : LinearModel(std::move(features), std::move(weights), training) {
  if (this->weights().size() != this->features().dimension()) {
    throw UsageError("a ranker requires one weight for each of its features");
  }
}

RankModel RankModel::from_file(const ModelReader& reader, const Value& meta) {
  RankFeatures features = read_features(reader, meta);
  const auto stored = reader.weights("weights", features.dimension());
  return RankModel(std::move(features), {stored.begin(), stored.end()}, meta.at("training"));
}

ModelWriter RankModel::writer() const {
  const RankFeatures& features = this->features();
  ModelWriter writer{std::string(kKind), kVersion};
  Value meta;
  meta["normalization"] = to_string(features.normalization);
  meta["expansion"] = features.expansion.to_string();
  meta["training"] = training();
  writer.add_json("meta", meta);
  writer.add_array<std::uint32_t>("indices", features.indices);
  if (features.normalization == Normalization::kScale) {
    writer.add_array<double>("scales", features.scales);
  }
  if (features.expansion.kind == Expansion::Kind::kBinned) {
    writer.add_array<std::uint32_t>("knot_begin", features.knot_begin);
    writer.add_array<float>("knots", features.knots);
  }
  if (features.expansion.kind == Expansion::Kind::kRandom) {
    writer.add_array<float>("directions", features.directions);
    writer.add_array<float>("phases", features.phases);
  }
  if (features.expansion.kind == Expansion::Kind::kTrees) {
    writer.add_array<std::uint32_t>("tree_begin", features.trees.begin);
    writer.add_array<std::uint32_t>("node_columns", features.trees.columns);
    writer.add_array<float>("node_thresholds", features.trees.thresholds);
    writer.add_array<std::int32_t>("node_children", features.trees.children);
    writer.add_array<float>("node_gains", features.trees.gains);
  }
  writer.add_array<double>("weights", weights());
  return writer;
}

}  // namespace trellis::rank
