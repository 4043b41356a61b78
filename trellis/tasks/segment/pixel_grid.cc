#include "trellis/tasks/segment/pixel_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::segment {
namespace {

// A difference of neighbours, and the σ that scales it.
struct Sense {
  const char* name;
  std::vector<double> sigmas;
};

const std::vector<Sense>& senses() {
  static const std::vector<Sense> all = {
      {"picture", {0.5, 1, 3}}, {"blurred", {0.5, 1, 3}}, {"figure", {0.5, 2}}};
  return all;
}

// |Δ| over all planes, for each edge.
std::vector<double> differences(std::span<const image::Plane> planes,
                                const std::vector<NodePair>& edges) {
  std::vector<double> out;
  out.reserve(edges.size());
  for (const NodePair& edge : edges) {
    double square = 0;
    for (const image::Plane& plane : planes) {
      const double d =
          static_cast<double>(plane.values[edge.j]) - static_cast<double>(plane.values[edge.k]);
      square += d * d;
    }
    out.push_back(std::sqrt(square));
  }
  return out;
}

// In a picture without contrast the mean is 0; then all edges have the greatest similarity.
double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return std::max(sum / static_cast<double>(std::max<Index>(values.size(), 1)), 1e-6);
}

std::vector<image::Plane> blurred(const image::Raster& raster) {
  std::vector<image::Plane> out;
  for (const image::Plane& plane : raster.planes) out.push_back(box_mean(plane, 1));
  return out;
}

}  // namespace

std::vector<NodePair> grid_edges(Index width, Index height, int connectivity) {
  std::vector<NodePair> edges;
  const auto node = [&](Index x, Index y) { return static_cast<std::uint32_t>(y * width + x); };
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      if (x + 1 < width) edges.push_back({node(x, y), node(x + 1, y)});
      if (y + 1 == height) continue;
      edges.push_back({node(x, y), node(x, y + 1)});
      if (connectivity == 4) continue;
      if (x + 1 < width) edges.push_back({node(x, y), node(x + 1, y + 1)});
      if (x > 0) edges.push_back({node(x, y), node(x - 1, y + 1)});
    }
  }
  return edges;
}

std::vector<std::string> grid_feature_names() {
  std::vector<std::string> names = {"boundary"};
  for (const Sense& sense : senses()) {
    for (const double sigma : sense.sigmas) {
      names.push_back(fmt::format("boundary, {} alike at {}", sense.name, sigma));
    }
  }
  return names;
}

std::vector<float> grid_features(const image::Raster& raster, const ChannelImage& channels,
                                 const std::vector<NodePair>& edges) {
  const auto figure = static_cast<Index>(
      std::find(channels.names.begin(), channels.names.end(), "figure texture smooth") -
      channels.names.begin());
  const std::array<std::vector<double>, 3> deltas = {
      differences(raster.planes, edges), differences(blurred(raster), edges),
      differences(std::span(channels.planes).subspan(figure, 1), edges)};
  const Index width = grid_feature_names().size();
  std::vector<float> features(edges.size() * width);
  const Index row = raster.width();
  for (Index e = 0; e < edges.size(); ++e) {
    const bool diagonal =
        edges[e].j % row != edges[e].k % row && edges[e].j / row != edges[e].k / row;
    features[e * width] = diagonal ? std::sqrt(0.5F) : 1.0F;
  }
  Index at = 1;
  for (Index d = 0; d < deltas.size(); ++d) {
    const double mean = mean_of(deltas[d]);
    for (const double sigma : senses()[d].sigmas) {
      for (Index e = 0; e < edges.size(); ++e) {
        features[e * width + at] =
            features[e * width] * static_cast<float>(portable_exp(-deltas[d][e] / (sigma * mean)));
      }
      ++at;
    }
  }
  return features;
}

}  // namespace trellis::segment
