// Outlines of silhouettes.
//
// The figure differs from the border of the picture: it is bright if most of the border is dark,
// and dark if most of it is bright (tie: bright). Of several parts (pixels that share a side are
// connected) the largest counts; ties go to the part that begins first, row by row.
//
// The outline follows the sides between pixels of the figure and others, clockwise in the picture,
// from the top side of the first pixel. Its corners are the midpoints of these sides, which makes
// slanted lines straight and lengths nearly right. Holes have no outline. x grows to the right, y
// downwards, and the top left corner of the picture is (0, 0).
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"
#include "trellis/formats/shapes/point_set.h"

namespace trellis::match {

// The mask of the figure; all 0 if the picture has only one colour.
image::Mask figure_of(const image::Raster& raster);

// A closed line: the last corner is joined to the first. Empty for an empty mask.
std::vector<Point> trace_contour(const image::Mask& figure);

// `count` equidistant points along a closed line, starting at its first corner. Throws UsageError
// for a line without corners.
std::vector<Point> sample_contour(std::span<const Point> contour, Index count);

}  // namespace trellis::match
