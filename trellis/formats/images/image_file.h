// Reader of PNG files (W3C Recommendation "Portable Network Graphics"; any depth, palette, alpha)
// and of the netpbm formats P2, P3, P5 and P6 (netpbm.h). Writer of PNG files.
//
// Sixteen bits are read as eight, alpha is laid over black, and a colour picture whose three planes
// are equal counts as grey. Memory is bounded by a multiple of the file's size: a header that
// promises more pixels than the bytes can hold (deflate shrinks by at most 1032) is refused, as is
// everything above kMaxPixels.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"

namespace trellis::image {

inline constexpr Index kMaxPixels = Index{1} << 26;

Raster read_image(const std::string& path);  // throws InputError
// `name` stands in messages.
Raster decode_image(std::string_view bytes, const std::string& name);

// Figure is what is brighter than 127 of 255.
Mask read_mask(const std::string& path);
Mask to_mask(const Raster& raster);

std::string encode_png(const Raster& raster);  // 8 bits
std::string encode_png(const Mask& mask);      // grey, 0 and 255
void write_png(const std::string& path, std::string_view png);

}  // namespace trellis::image
