// The features of pictures and graphs: the weights, the features of each node and edge, and the map
// w ↦ s = F(x)ᵀ w of the network
//
//   score(y) = Σ_j y_j ⟨w_n, x_j⟩ − Σ_jk [y_j ≠ y_k] ⟨w_e, f_jk⟩,     w_e ≥ 0, f ≥ 0
//
// (Taskar, Lacoste-Julien & Jordan 2006, sec. 2.2.2). The parts are the nodes, then the edges; so
// are the weights. A unary model has no edges.
//
// Pictures: the tables of feature_tables.h. Graphs: the file's features, standardised to mean 0 and
// deviation 1 over the training nodes, and a bias; the file's edge features and a constant.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/graphs/labelled_graph_file.h"
#include "trellis/formats/images/raster.h"
#include "trellis/tasks/segment/feature_tables.h"
#include "trellis/tasks/segment/segment_example.h"

namespace trellis::segment {

struct PictureOptions {
  bool colour = false;
  double scale = 1;      // (0, 1]: pictures are first reduced by this factor
  int connectivity = 8;  // or 4
};

class SegmentFeatures {
 public:
  SegmentFeatures() = default;  // of graphs without features
  // `quantiles`: one for each channel. Throws UsageError for invalid options.
  static SegmentFeatures of_pictures(const PictureOptions& options,
                                     std::vector<Quantiles> quantiles, bool unary);
  // `means` and `deviations` are those of the node features.
  static SegmentFeatures of_graphs(std::vector<float> means, std::vector<float> deviations,
                                   Index edge_width, bool unary);

  // Computes quantiles, or means and deviations (> 0), of the training set.
  static std::vector<Quantiles> learn_quantiles(std::span<const image::Raster> rasters,
                                                const PictureOptions& options, int threads);
  static SegmentFeatures learn_graphs(const GraphSet& set, bool unary);

  bool pictures() const { return tables_ != nullptr; }
  bool unary() const { return unary_; }
  const PictureOptions& options() const { return options_; }
  std::span<const Quantiles> quantiles() const { return quantiles_; }
  std::span<const float> means() const { return means_; }
  std::span<const float> deviations() const { return deviations_; }
  Index edge_width() const { return edge_width_; }  // for graph files

  Index num_node_weights() const;
  Index num_edge_weights() const;
  Index dimension() const { return num_node_weights() + num_edge_weights(); }
  std::string weight_name(Index k) const;

  // A picture as an example, without labels.
  SegmentExample picture(std::string name, const image::Raster& raster) const;
  // Standardises the features of a graph from a file. Throws InputError(file, …) if its features
  // differ from those of the training set.
  void prepare(LabelledGraph& graph, const std::string& file) const;

  // s (nodes, then edges) ← F(x)ᵀ w
  void scores(const SegmentExample& example, std::span<const double> w, std::span<double> s) const;
  // gradient += factor · F(x) z
  void add_features(const SegmentExample& example, std::span<const double> z, double factor,
                    std::span<double> gradient) const;

 private:
  bool unary_ = false;
  PictureOptions options_;
  std::shared_ptr<const FeatureTables> tables_;  // only for pictures
  std::vector<Quantiles> quantiles_;
  std::vector<float> means_;
  std::vector<float> deviations_;
  Index edge_width_ = 0;
};

}  // namespace trellis::segment
