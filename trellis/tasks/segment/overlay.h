// Pictures of results: figure tinted, outline drawn, ground slightly darker.
#pragma once

#include "trellis/formats/images/raster.h"

namespace trellis::segment {

// `mask` has the size of the raster. The outline of a truth (same size; may be empty) is drawn as
// well, in another colour.
image::Raster overlay(const image::Raster& raster, const image::Mask& mask,
                      const image::Mask& truth = {});

}  // namespace trellis::segment
