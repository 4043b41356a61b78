// The appearance of a pixel: some thirty numbers ("channels") per pixel, without hyperparameters.
// Lengths are fractions of the picture's longer side, so that a picture and its half-size version
// have the same channels.
//
//   intensity   the pixel, the means of three neighbourhoods, its rank in the picture
//   contrast    the pixel and its neighbourhood compared with the wider one; standard deviations
//   texture     the structure tensor of the gradients (energy, orientation, coherence) and local
//               binary patterns (Ojala, Pietikäinen & Harwood 1996)
//   figure      log-odds of the pixel's values in the middle of the picture and at its border:
//               log h_c(v)/h_r(v), with histograms h weighted by a wide Gaussian around the centre;
//               unsmoothed, smoothed, and at a distance in the four directions
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

// With `colour`, there are colour channels even if the picture is grey.
ChannelImage pixel_channels(const image::Raster& raster, bool colour);
std::vector<std::string> channel_names(bool colour);

}  // namespace trellis::segment
