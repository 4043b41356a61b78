// The netpbm formats: P2 and P5 (grey), P3 and P6 (colour), plain or binary, up to 16 bits.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"

namespace trellis::image {

bool is_netpbm(std::string_view bytes);
Raster decode_netpbm(std::string_view bytes, const std::string& name);  // throws InputError

// Throws InputError for a picture without pixels or with more than kMaxPixels.
void check_picture_size(Index width, Index height, const std::string& name);

}  // namespace trellis::image
