// Pictures to look at: the figure tinted, its outline drawn, the ground a little darker.
#pragma once

#include "trellis/formats/images/raster.h"

namespace trellis::segment {

// `mask` has the size of the raster. With a truth (of the same size, not empty) its outline is
// drawn as well, in another colour.
image::Raster overlay(const image::Raster& raster, const image::Mask& mask,
                      const image::Mask& truth = {});

}  // namespace trellis::segment
