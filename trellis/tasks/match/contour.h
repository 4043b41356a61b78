// Outlines of silhouettes.
//
// The figure is what differs from the rim of the picture: bright where most of the rim is dark,
// dark where most of it is bright (a tie: bright). Of several parts (pixels that touch by their
// sides) the largest counts, of equally large ones that which begins first, row by row.
//
// The outline runs along the sides of pixels that part the figure from what is not, clockwise as
// the picture is seen, from the top side of its first pixel; its corners are the middles of these
// sides, which makes slanted lines straight and lengths nearly right. Holes have none. x grows to
// the right and y downwards, and the top left corner of the picture is (0, 0).
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"
#include "trellis/formats/shapes/point_set.h"

namespace trellis::match {

// The mask of the figure alone. All 0 where the picture has only one colour.
image::Mask figure_of(const image::Raster& raster);

// Closed: the last corner is joined to the first. Empty where the mask is.
std::vector<Point> trace_contour(const image::Mask& figure);

// `count` points at equal distances along a closed line, the first of which is its first corner.
// Throws UsageError for a line without corners.
std::vector<Point> sample_contour(std::span<const Point> contour, Index count);

}  // namespace trellis::match
