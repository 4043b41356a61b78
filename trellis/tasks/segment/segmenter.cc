#include "trellis/tasks/segment/segmenter.h"

#include "trellis/base/parallel.h"

namespace trellis::segment {

double Segmenter::segment(const SegmentExample& example, const CutNetwork& network,
                          Scratch& scratch, std::vector<std::uint8_t>& labels) const {
  scratch.scores.resize(network.num_parts());
  features_->scores(example, w_, scratch.scores);
  const double score = network.maximize(scratch.scores, scratch.network, scratch.output);
  labels.resize(example.num_nodes);
  for (Index j = 0; j < labels.size(); ++j) labels[j] = scratch.output[j] != 0 ? 1 : 0;
  return score;
}

image::Mask Segmenter::segment(const image::Raster& raster, Scratch& scratch) const {
  const SegmentExample example = features_->picture("", raster);
  image::Mask mask{example.width, example.height, {}};
  segment(example, CutNetwork(example.num_nodes, example.edges), scratch, mask.labels);
  return resize(mask, raster.width(), raster.height());
}

std::vector<CutNetwork> networks_of(std::span<const SegmentExample> examples) {
  std::vector<CutNetwork> networks;
  networks.reserve(examples.size());
  for (const SegmentExample& example : examples) {
    networks.emplace_back(example.num_nodes, example.edges);
  }
  return networks;
}

std::vector<std::vector<std::uint8_t>> segment_all(const Segmenter& segmenter,
                                                   std::span<const SegmentExample> examples,
                                                   std::span<const CutNetwork> networks,
                                                   int threads) {
  std::vector<Segmenter::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  std::vector<std::vector<std::uint8_t>> labels(examples.size());
  parallel_for(examples.size(), threads, [&](Index i, int worker) {
    segmenter.segment(examples[i], networks[i], scratch[static_cast<Index>(worker)], labels[i]);
  });
  return labels;
}

SegmentScores evaluate(const Segmenter& segmenter, std::span<const SegmentExample> examples,
                       std::span<const CutNetwork> networks, int threads) {
  const auto found = segment_all(segmenter, examples, networks, threads);
  SegmentScores scores;
  for (Index i = 0; i < examples.size(); ++i) {
    scores.add(examples[i].name, compare(examples[i].labels, found[i]));
  }
  return scores;
}

}  // namespace trellis::segment
