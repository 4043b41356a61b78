#include "trellis/tasks/segment/segment_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trellis::segment {
namespace {

void require_finite(const ModelReader& reader, std::span<const float> values, const char* what) {
  for (const float value : values) {
    if (!std::isfinite(value))
      refuse(reader, std::string("the model's ") + what + " are not finite");
  }
}

std::vector<Quantiles> read_quantiles(const ModelReader& reader, Index num_channels) {
  const auto values = reader.array<float>("quantiles", num_channels * kQuantiles);
  require_finite(reader, values, "quantiles");
  std::vector<Quantiles> quantiles(num_channels);
  for (Index c = 0; c < num_channels; ++c) {
    const auto row = values.subspan(c * kQuantiles, kQuantiles);
    if (!std::is_sorted(row.begin(), row.end()))
      refuse(reader, "the model's quantiles are not ascending");
    std::copy(row.begin(), row.end(), quantiles[c].begin());
  }
  return quantiles;
}

SegmentFeatures read_pictures_features(const ModelReader& reader, const Value& meta, bool unary) {
  PictureOptions options;
  options.colour = meta.at("colour").get<bool>();
  options.scale = meta.at("scale").get<double>();
  options.connectivity = meta.at("connectivity").get<int>();
  const std::vector<std::string> channels = channel_names(options.colour);
  if (meta.at("channels").get<std::vector<std::string>>() != channels) {
    refuse(reader, "the model was trained on channels that this program does not have");
  }
  return SegmentFeatures::of_pictures(options, read_quantiles(reader, channels.size()), unary);
}

SegmentFeatures read_graph_features(const ModelReader& reader, const Value& meta, bool unary) {
  const auto means = reader.array<float>("means");
  const auto deviations = reader.array<float>("deviations", means.size());
  require_finite(reader, means, "means");
  require_finite(reader, deviations, "deviations");
  if (means.empty()) refuse(reader, "the model has no node features");
  if (std::any_of(deviations.begin(), deviations.end(), [](float d) { return !(d > 0); })) {
    refuse(reader, "the model's deviations are not all above 0");
  }
  const Value& width = meta.at("edge_width");
  // As many edge features as there are weights for; the sum of both is checked with the weights.
  if (!width.is_count() || width.get<std::uint64_t>() > reader.section("weights").size()) {
    refuse(reader, "the model's number of edge features is not valid");
  }
  return SegmentFeatures::of_graphs({means.begin(), means.end()},
                                    {deviations.begin(), deviations.end()}, width.get<Index>(),
                                    unary);
}

SegmentFeatures read_features(const ModelReader& reader, const Value& meta) {
  const std::string input = meta.at("input").get<std::string>();
  const bool unary = meta.at("unary").get<bool>();
  if (input == "pictures") return read_pictures_features(reader, meta, unary);
  if (input == "graphs") return read_graph_features(reader, meta, unary);
  refuse(reader, "the model's input is neither pictures nor graphs");
}

std::vector<double> read_weights(const ModelReader& reader, const SegmentFeatures& features) {
  const auto stored = reader.weights("weights", features.dimension());
  const auto edges = stored.subspan(features.num_node_weights());
  if (std::any_of(edges.begin(), edges.end(), [](double w) { return w < 0; })) {
    refuse(reader, "the model has a negative weight of an edge feature");
  }
  return {stored.begin(), stored.end()};
}

}  // namespace

SegmentModel SegmentModel::from_file(const ModelReader& reader, const Value& meta) {
  SegmentFeatures features = read_features(reader, meta);
  std::vector<double> weights = read_weights(reader, features);
  return SegmentModel(std::move(features), std::move(weights), meta.at("training"));
}

ModelWriter SegmentModel::writer() const {
  const SegmentFeatures& features = this->features();
  ModelWriter writer{std::string(kKind), kVersion};
  Value meta;
  meta["input"] = features.pictures() ? "pictures" : "graphs";
  meta["unary"] = features.unary();
  meta["training"] = training();
  if (features.pictures()) {
    meta["colour"] = features.options().colour;
    meta["scale"] = features.options().scale;
    meta["connectivity"] = features.options().connectivity;
    meta["channels"] = channel_names(features.options().colour);
  } else {
    meta["edge_width"] = features.edge_width();
  }
  writer.add_json("meta", meta);
  if (features.pictures()) {
    static_assert(sizeof(Quantiles) == kQuantiles * sizeof(float));  // rows without gaps
    writer.add("quantiles", std::as_bytes(features.quantiles()));
  } else {
    writer.add_array<float>("means", features.means());
    writer.add_array<float>("deviations", features.deviations());
  }
  writer.add_array<double>("weights", weights());
  return writer;
}

}  // namespace trellis::segment
