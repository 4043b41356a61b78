#include "trellis/tasks/segment/segment_data.h"

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/graphs/labelled_graph_file.h"

namespace trellis::segment {
namespace {

SegmentExample labelled_example(const SegmentFeatures& features, const Picture& picture) {
  SegmentExample example = features.picture(picture.name, picture.raster);
  if (!picture.mask.labels.empty()) {
    example.labels = shrink(picture.mask, features.options().scale).labels;
  }
  return example;
}

// Standardises the graphs. Throws like SegmentFeatures::prepare.
std::vector<SegmentExample> graph_examples(const SegmentFeatures& features, GraphSet graphs,
                                           const std::string& name) {
  std::vector<SegmentExample> examples;
  examples.reserve(graphs.graphs.size());
  for (LabelledGraph& graph : graphs.graphs) {
    features.prepare(graph, name);
    static_cast<LabelledGraph&>(examples.emplace_back()) = std::move(graph);
  }
  return examples;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

SegmentData segment_data(std::vector<Picture> pictures, const FeatureOptions& options,
                         int threads) {
  PictureOptions chosen = options.pictures;
  chosen.colour = std::any_of(pictures.begin(), pictures.end(),
                              [](const Picture& picture) { return picture.raster.colour(); });
  std::vector<image::Raster> rasters;
  rasters.reserve(pictures.size());
  for (Picture& picture : pictures) rasters.push_back(std::move(picture.raster));
  SegmentData data{
      SegmentFeatures::of_pictures(
          chosen, SegmentFeatures::learn_quantiles(rasters, chosen, threads), options.unary),
      std::vector<SegmentExample>(pictures.size())};
  parallel_for(pictures.size(), threads, [&](Index i, int) {
    pictures[i].raster = std::move(rasters[i]);
    data.examples[i] = labelled_example(data.features, pictures[i]);
  });
  return data;
}

SegmentData segment_data(GraphSet graphs, const FeatureOptions& options, const std::string& name) {
  SegmentData data{SegmentFeatures::learn_graphs(graphs, options.unary), {}};
  data.examples = graph_examples(data.features, std::move(graphs), name);
  return data;
}

SegmentData read_segment_data(const SegmentInput& input, const FeatureOptions& options,
                              int threads) {
  if (input.files.empty()) throw UsageError("expected pictures or graphs to train on, found none");
  if (!input.graphs) {
    return segment_data(read_pictures(list_pictures(input.files, true), threads), options, threads);
  }
  const GraphReadOptions reading{true, input.allow_disconnected || options.unary};
  return segment_data(read_graph_files(input.files, reading), options, input.files.front());
}

std::vector<SegmentExample> read_examples(const SegmentInput& input,
                                          const SegmentFeatures& features, int threads) {
  if (input.graphs) {
    GraphSet set = read_graph_files(input.files,
                                    {input.labelled, input.allow_disconnected || features.unary()});
    return graph_examples(features, std::move(set), input.files.front());
  }
  const std::vector<PictureFile> files = list_pictures(input.files, input.labelled);
  std::vector<SegmentExample> examples(files.size());
  parallel_for(files.size(), threads, [&](Index i, int) {
    examples[i] = labelled_example(features, read_picture(files[i]));
  });
  return examples;
}

std::uint64_t digest(std::span<const SegmentExample> examples) {
  std::uint64_t h = examples.size();
  for (const SegmentExample& example : examples) {
    h = fingerprint(bytes_of(example.labels), h);
    h = fingerprint(bytes_of(example.pixels.codes), h);
    h = fingerprint(bytes_of(example.node_features), h);
    h = fingerprint(bytes_of(example.edge_features), h);
    for (const NodePair& edge : example.edges) h = (h ^ (edge.j * 0x9e3779b97f4a7c15ULL)) + edge.k;
  }
  return h;
}

}  // namespace trellis::segment
