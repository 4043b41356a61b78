// Reader of sets of points in the plane, as text. The two formats are Trellis' own and are
// described here.
//
//   points   'x y' per line, whose number, from 0, is the point's id; or 'id x y' with an integer
//   frames   a table with tabs and the header 'frame point x y': many point sets in one file, by
//            the integer in the first column
//
// '#' begins a comment; empty lines are skipped. Files may be gzip or zstd. Refused with the line:
// numbers that are not finite (or beyond ±1e100), an id twice, a set without points.
#pragma once

#include <cstdint>
#include <map>

#include "trellis/base/input_file.h"
#include "trellis/formats/shapes/point_set.h"

namespace trellis::match {

PointSet read_points(InputFile file);  // throws InputError

using Frames = std::map<std::int64_t, PointSet>;
Frames read_frames(InputFile file);  // throws InputError

}  // namespace trellis::match
