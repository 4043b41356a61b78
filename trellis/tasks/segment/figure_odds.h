// How much more often a look occurs in the middle of its own picture than at the rim. Figures tend
// to stand in the middle, so this tells the colours of the figure from those of the ground without
// having seen either before:
//
//   odds(v) = log (h_c(v) + ε)/(h_r(v) + ε)
//
// h_c is the histogram of the values, weighted by a bell around the centre (standard deviation a
// quarter of the sides), h_r with the complementary weights; both sum to 1, and are smoothed.
#pragma once

#include "trellis/formats/images/raster.h"

namespace trellis::segment {

// Of values in [0, 1].
image::Plane figure_odds(const image::Plane& values);
// Of pairs of values in [0, 1].
image::Plane figure_odds(const image::Plane& first, const image::Plane& second);

}  // namespace trellis::segment
