#include "trellis/tasks/segment/segment_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/tasks/segment/graph_file.h"

namespace trellis::segment {
namespace {

SegmentExample labelled_example(const SegmentFeatures& features, const Picture& picture) {
  SegmentExample example = features.picture(picture.name, picture.raster);
  if (!picture.mask.labels.empty()) {
    example.labels = shrink(picture.mask, features.options().scale).labels;
  }
  return example;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

TrainingData read_training_pictures(std::span<const std::string> files,
                                    const PictureOptions& options, bool unary, int threads) {
  const std::vector<PictureFile> found = list_pictures(files, true);
  std::vector<Picture> pictures = read_pictures(found, threads);
  PictureOptions chosen = options;
  chosen.colour = std::any_of(pictures.begin(), pictures.end(),
                              [](const Picture& picture) { return picture.raster.colour(); });
  std::vector<image::Raster> rasters;
  rasters.reserve(pictures.size());
  for (Picture& picture : pictures) rasters.push_back(std::move(picture.raster));
  TrainingData data{SegmentFeatures::of_pictures(
                        chosen, SegmentFeatures::learn_quantiles(rasters, chosen, threads), unary),
                    std::vector<SegmentExample>(pictures.size())};
  parallel_for(pictures.size(), threads, [&](Index i, int) {
    pictures[i].raster = std::move(rasters[i]);
    data.examples[i] = labelled_example(data.features, pictures[i]);
  });
  return data;
}

GraphSet read_graph_files(std::span<const std::string> files, const GraphReadOptions& options) {
  GraphSet all;
  for (const std::string& file : files) {
    GraphSet set = read_graphs(InputFile(file), options);
    if (!all.graphs.empty() &&
        (set.node_width != all.node_width || set.edge_width != all.edge_width)) {
      throw InputError(file, 0,
                       fmt::format("expected nodes with {} features and edges with {}, as in {}, "
                                   "found {} and {}",
                                   all.node_width, all.edge_width, files.front(), set.node_width,
                                   set.edge_width));
    }
    all.node_width = set.node_width;
    all.edge_width = set.edge_width;
    std::move(set.graphs.begin(), set.graphs.end(), std::back_inserter(all.graphs));
  }
  return all;
}

TrainingData read_training_graphs(std::span<const std::string> files, bool allow_disconnected,
                                  bool unary) {
  GraphSet set = read_graph_files(files, {true, allow_disconnected || unary});
  TrainingData data{SegmentFeatures::learn_graphs(set, unary), {}};
  data.features.prepare(set, files.front());
  data.examples = std::move(set.graphs);
  return data;
}

std::vector<SegmentExample> read_examples(const SegmentInput& input,
                                          const SegmentFeatures& features, int threads) {
  if (input.graphs) {
    GraphSet set = read_graph_files(input.files,
                                    {input.labelled, input.allow_disconnected || features.unary()});
    features.prepare(set, input.files.front());
    return std::move(set.graphs);
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
