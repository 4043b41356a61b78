// The grid of a picture: the neighbours of each pixel, and their similarity.
//
// Edge features are ≥ 0, so that with weights ≥ 0 a boundary never has a benefit, and the network
// stays submodular. They are a constant, which is the cost per length of the boundary, and
// exp(−|Δ|/(σ m)) for the difference Δ of the two pixels and several σ, where m is the mean |Δ| of
// the picture (cf. the contrast of Boykov & Jolly 2001 and GrabCut); for the picture, the slightly
// blurred picture, and its figure log-odds. Diagonal neighbours are weighted by 1/√2.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"
#include "trellis/tasks/segment/pixel_channels.h"

namespace trellis::segment {

std::vector<NodePair> grid_edges(Index width, Index height, int connectivity);  // 4 or 8

std::vector<std::string> grid_feature_names();
// Edge by edge. `channels` are those of the raster.
std::vector<float> grid_features(const image::Raster& raster, const ChannelImage& channels,
                                 const std::vector<NodePair>& edges);

}  // namespace trellis::segment
