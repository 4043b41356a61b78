// What a pixel looks like: some thirty numbers ("channels") for each pixel of a picture, none of
// which has anything to tune. Lengths are fractions of the picture's longer side, so that a picture
// and its half say the same.
//
//   intensity   the pixel, the mean of three neighbourhoods, its rank within the picture
//   contrast    the pixel and its neighbourhood against the wider one; standard deviations
//   texture     the structure tensor of the gradients (energy, orientation, coherence) and local
//               binary patterns (Ojala, Pietikäinen & Harwood 1996)
//   figure      log-odds of the pixel's looks in the middle of the picture against its rim:
//               log h_c(v)/h_r(v), with histograms h weighted by a broad bell around the centre.
//               Alone, smoothed, and as seen some way off in the four directions
//   position    x and y within the picture
//   colour      two opponent channels and the figure log-odds of their pairs (0 for grey pictures)
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"

namespace trellis::segment {

struct ChannelImage {
  std::vector<std::string> names;
  std::vector<image::Plane> planes;  // one for each name
};

// With `colour` the channels of colour are there, whether or not the picture has any.
ChannelImage pixel_channels(const image::Raster& raster, bool colour);
std::vector<std::string> channel_names(bool colour);

}  // namespace trellis::segment
