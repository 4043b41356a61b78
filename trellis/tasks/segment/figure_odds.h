// How much more often a value occurs in the middle of a picture than at its border. Figures tend to
// be in the middle, so this separates the colours of figure and ground without training:
//
//   odds(v) = log (h_c(v) + ε)/(h_r(v) + ε)
//
// h_c is the histogram of the values, weighted by a Gaussian around the centre (standard deviation:
// a quarter of each side); h_r has the complementary weights. Both sum to 1 and are smoothed.
#pragma once

#include "trellis/formats/images/raster.h"

namespace trellis::segment {

// For values in [0, 1].
image::Plane figure_odds(const image::Plane& values);
// For pairs of values in [0, 1].
image::Plane figure_odds(const image::Plane& first, const image::Plane& second);

}  // namespace trellis::segment
