#include "trellis/tasks/segment/segment_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/segment/pixel_grid.h"

namespace trellis::segment {
namespace {

// Number of pixels per picture for quantiles; more make no difference.
constexpr Index kSampledPixels = 4000;

void require_options(const PictureOptions& options) {
  if (!(options.scale > 0) || options.scale > 1) {
    throw UsageError(fmt::format("the scale must be above 0 and up to 1, not {}", options.scale));
  }
  if (options.connectivity != 4 && options.connectivity != 8) {
    throw UsageError(fmt::format("a pixel has 4 or 8 neighbours, not {}", options.connectivity));
  }
}

// Mean and deviation of feature k over all nodes.
std::pair<float, float> moments(const GraphSet& set, Index k) {
  double count = 0;
  double sum = 0;
  for (const LabelledGraph& graph : set.graphs) {
    for (Index j = 0; j < graph.num_nodes; ++j) {
      sum += static_cast<double>(graph.node_features[j * set.node_width + k]);
    }
    count += static_cast<double>(graph.num_nodes);
  }
  const double mean = sum / count;
  double square = 0;
  for (const LabelledGraph& graph : set.graphs) {
    for (Index j = 0; j < graph.num_nodes; ++j) {
      const double d = static_cast<double>(graph.node_features[j * set.node_width + k]) - mean;
      square += d * d;
    }
  }
  const double deviation = std::sqrt(square / count);
  // A constant feature has no information and becomes 0 for any divisor.
  return {static_cast<float>(mean), deviation > 1e-12 ? static_cast<float>(deviation) : 1.0F};
}

}  // namespace

SegmentFeatures SegmentFeatures::of_pictures(const PictureOptions& options,
                                             std::vector<Quantiles> quantiles, bool unary) {
  require_options(options);
  SegmentFeatures features;
  features.unary_ = unary;
  features.options_ = options;
  features.tables_ = std::make_shared<const FeatureTables>(options.colour);
  features.quantiles_ = std::move(quantiles);
  if (features.quantiles_.size() != features.tables_->channels().size()) {
    throw UsageError("the quantiles are not those of these channels");
  }
  return features;
}

SegmentFeatures SegmentFeatures::of_graphs(std::vector<float> means, std::vector<float> deviations,
                                           Index edge_width, bool unary) {
  SegmentFeatures features;
  features.unary_ = unary;
  features.means_ = std::move(means);
  features.deviations_ = std::move(deviations);
  features.edge_width_ = edge_width;
  return features;
}

std::vector<Quantiles> SegmentFeatures::learn_quantiles(std::span<const image::Raster> rasters,
                                                        const PictureOptions& options,
                                                        int threads) {
  require_options(options);
  const Index num_channels = channel_names(options.colour).size();
  // samples[picture][channel]
  std::vector<std::vector<std::vector<float>>> samples(rasters.size());
  parallel_for(rasters.size(), threads, [&](Index i, int) {
    const ChannelImage image = pixel_channels(shrink(rasters[i], options.scale), options.colour);
    for (const image::Plane& plane : image.planes) {
      const Index step = std::max<Index>(1, plane.values.size() / kSampledPixels);
      std::vector<float>& sample = samples[i].emplace_back();
      for (Index j = 0; j < plane.values.size(); j += step) sample.push_back(plane.values[j]);
    }
  });
  std::vector<Quantiles> quantiles(num_channels);
  parallel_for(num_channels, threads, [&](Index c, int) {
    std::vector<float> all;
    for (const auto& picture : samples) {
      all.insert(all.end(), picture[c].begin(), picture[c].end());
    }
    quantiles[c] = quantiles_of(std::move(all));
  });
  return quantiles;
}

SegmentFeatures SegmentFeatures::learn_graphs(const GraphSet& set, bool unary) {
  std::vector<float> means;
  std::vector<float> deviations;
  for (Index k = 0; k < set.node_width; ++k) {
    const auto found = moments(set, k);
    means.push_back(found.first);
    deviations.push_back(found.second);
  }
  return of_graphs(std::move(means), std::move(deviations), set.edge_width, unary);
}

Index SegmentFeatures::num_node_weights() const {
  return pictures() ? tables_->num_weights() : means_.size() + 1;
}

Index SegmentFeatures::num_edge_weights() const {
  if (unary_) return 0;
  return pictures() ? grid_feature_names().size() : edge_width_ + 1;
}

std::string SegmentFeatures::weight_name(Index k) const {
  const Index nodes = num_node_weights();
  if (pictures()) {
    return k < nodes ? tables_->weight_name(k) : grid_feature_names()[k - nodes];
  }
  if (k + 1 < nodes) return fmt::format("feature {}", k + 1);
  if (k + 1 == nodes) return "bias";
  return k == nodes ? "boundary" : fmt::format("boundary, edge feature {}", k - nodes);
}

SegmentExample SegmentFeatures::picture(std::string name, const image::Raster& raster) const {
  const image::Raster small = shrink(raster, options_.scale);
  const ChannelImage channels = pixel_channels(small, options_.colour);
  SegmentExample example;
  example.name = std::move(name);
  example.width = small.width();
  example.height = small.height();
  example.num_nodes = small.num_pixels();
  example.pixels = code_pixels(channels, quantiles_);
  if (!unary_) {
    example.edges = grid_edges(small.width(), small.height(), options_.connectivity);
    example.edge_features = grid_features(small, channels, example.edges);
  }
  return example;
}

void SegmentFeatures::prepare(LabelledGraph& graph, const std::string& file) const {
  const Index node_width = graph.node_features.size() / graph.num_nodes;
  const Index edge_width =
      graph.edges.empty() ? edge_width_ : graph.edge_features.size() / graph.edges.size() - 1;
  if (node_width != means_.size() || edge_width != edge_width_) {
    throw InputError(file, 0,
                     fmt::format("expected nodes with {} features and edges with {}, as in "
                                 "training, found {} and {}",
                                 means_.size(), edge_width_, node_width, edge_width));
  }
  std::vector<float> rows;
  rows.reserve(graph.num_nodes * (node_width + 1));
  for (Index j = 0; j < graph.num_nodes; ++j) {
    for (Index k = 0; k < node_width; ++k) {
      rows.push_back((graph.node_features[j * node_width + k] - means_[k]) / deviations_[k]);
    }
    rows.push_back(1);
  }
  graph.node_features = std::move(rows);
  if (unary_) {
    graph.edges.clear();
    graph.edge_features.clear();
  }
}

void SegmentFeatures::scores(const SegmentExample& example, std::span<const double> w,
                             std::span<double> s) const {
  std::fill(s.begin(), s.end(), 0.0);
  const Index nodes = num_node_weights();
  if (pictures()) {
    tables_->add_scores(example.pixels, w.first(nodes), s.first(example.num_nodes));
  } else {
    const float* x = example.node_features.data();
    for (Index j = 0; j < example.num_nodes; ++j, x += nodes) {
      for (Index k = 0; k < nodes; ++k) s[j] += static_cast<double>(x[k]) * w[k];
    }
  }
  const Index width = num_edge_weights();
  const float* f = example.edge_features.data();
  for (Index e = 0; e < example.edges.size(); ++e, f += width) {
    double price = 0;
    for (Index k = 0; k < width; ++k) price += static_cast<double>(f[k]) * w[nodes + k];
    s[example.num_nodes + e] = -price;
  }
}

void SegmentFeatures::add_features(const SegmentExample& example, std::span<const double> z,
                                   double factor, std::span<double> gradient) const {
  const Index nodes = num_node_weights();
  if (pictures()) {
    tables_->add_features(example.pixels, z.first(example.num_nodes), factor,
                          gradient.first(nodes));
  } else {
    const float* x = example.node_features.data();
    for (Index j = 0; j < example.num_nodes; ++j, x += nodes) {
      if (z[j] == 0) continue;
      for (Index k = 0; k < nodes; ++k) gradient[k] += factor * z[j] * static_cast<double>(x[k]);
    }
  }
  const Index width = num_edge_weights();
  const float* f = example.edge_features.data();
  for (Index e = 0; e < example.edges.size(); ++e, f += width) {
    const double cut = z[example.num_nodes + e];
    if (cut == 0) continue;
    for (Index k = 0; k < width; ++k) {
      gradient[nodes + k] -= factor * cut * static_cast<double>(f[k]);
    }
  }
}

}  // namespace trellis::segment
