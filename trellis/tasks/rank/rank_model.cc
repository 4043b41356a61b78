#include "trellis/tasks/rank/rank_model.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/model_file.h"

namespace trellis::rank {
namespace {

// Larger than 1/σ of any floats can be, and small enough that no product with a float overflows.
constexpr double kMaxScale = 1e60;

[[noreturn]] void refuse(const ModelReader& reader, const std::string& why) {
  throw InputError(reader.name(), 0, why);
}

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

RankFeatures read_features(const ModelReader& reader, const nlohmann::json& meta) {
  RankFeatures features;
  features.normalization = parse_normalization(meta.at("normalization").get<std::string>());
  features.expansion = Expansion::parse(meta.at("expansion").get<std::string>());
  read_indices(reader, features);
  if (features.normalization == Normalization::kScale) {
    features.scales = finite_array<double>(reader, "scales", features.num_columns());
    for (const double scale : features.scales) {
      if (!(scale >= 0 && scale <= kMaxScale)) refuse(reader, "the model has a scale out of range");
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
  }
  return features;
}

RankModel read_model(const ModelReader& reader) {
  reader.expect(kRankModelKind, kRankModelVersion);
  const nlohmann::json meta = reader.json("meta");
  try {
    RankFeatures features = read_features(reader, meta);
    const auto weights = reader.weights("weights", features.dimension());
    return RankModel(std::move(features), {weights.begin(), weights.end()}, meta.at("training"));
  } catch (const nlohmann::json::exception&) {
    refuse(reader, "the model's description lacks something or has it in another form");
  } catch (const UsageError& error) {
    refuse(reader, error.what());
  }
}

ModelWriter writer_of(const RankModel& model) {
  const RankFeatures& features = model.features();
  ModelWriter writer{std::string(kRankModelKind), kRankModelVersion};
  nlohmann::json meta;
  meta["normalization"] = std::string(to_string(features.normalization));
  meta["expansion"] = features.expansion.to_string();
  meta["training"] = model.training();
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
  writer.add_array<double>("weights", model.weights());
  return writer;
}

}  // namespace

RankModel::RankModel(RankFeatures features, std::vector<double> weights,
                     const nlohmann::json& training)
    : features_(std::move(features)),
      weights_(std::move(weights)),
      training_(std::make_shared<const nlohmann::json>(training)) {
  if (weights_.size() != features_.dimension()) {
    throw UsageError("a ranker needs one weight for each of its features");
  }
}

RankModel RankModel::read(const std::string& path) {
  return read_model(ModelReader::open(path));
}

RankModel RankModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return read_model(ModelReader::from_bytes(bytes, name));
}

void RankModel::write(const std::string& path) const {
  writer_of(*this).write(path);
}

std::string RankModel::to_bytes() const {
  return writer_of(*this).to_bytes();
}

std::vector<Index> strongest_weights(const RankModel& model, Index top) {
  std::vector<Index> order(model.weights().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(model.weights()[a]) > std::abs(model.weights()[b]);
  });
  order.resize(std::min(order.size(), top));
  return order;
}

}  // namespace trellis::rank
