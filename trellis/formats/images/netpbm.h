// Reader of the netpbm formats PGM (grey: P2 and P5) and PPM (colour: P3 and P6), plain or binary,
// up to 16 bits. https://netpbm.sourceforge.net/doc/pgm.html and ppm.html describe them.
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
