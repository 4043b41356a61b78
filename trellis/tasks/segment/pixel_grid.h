// The grid of a picture: which pixels are neighbours, and how alike they look.
//
// Edge features (all ≥ 0, so that with weights ≥ 0 a boundary never pays, and the network stays
// submodular): a constant, which prices the length of the boundary, and exp(−|Δ|/(σ m)) of the
// difference Δ of the two pixels for several σ, where m is the mean |Δ| of the picture (as the
// contrast of Boykov & Jolly 2001 and GrabCut), of the picture itself, of the picture slightly
// blurred, and of its figure log-odds. Diagonal neighbours count 1/√2.
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
// Edge after edge. `channels` are those of the raster.
std::vector<float> grid_features(const image::Raster& raster, const ChannelImage& channels,
                                 const std::vector<NodePair>& edges);

}  // namespace trellis::segment
