// Pairs of shapes to be matched, a pair per line: 'LEFT RIGHT', relative to the list's own folder.
// '#' begins a comment. A shape is
//
//   house.tsv#17   frame 17 of a file of frames (point_file.h)
//   cat.png        a silhouette (or .pgm, .ppm, .pnm): its outline is traced (contour.h). The
//                  points are those of cat.points beside it, in pixels, where there is such a file;
//                  otherwise they are sampled evenly on the outline, and nothing says which belong
//                  together. Contexts are made of the outline.
//   cat.txt        any other file: points (point_file.h)
//
// Points with equal ids are the truth of a pair.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"
#include "trellis/tasks/match/shape_context.h"

namespace trellis::match {

struct ShapePair {
  std::string name;  // "LEFT RIGHT" as the list says it
  std::string file;  // the list and the line; empty and 0 for a pair of the call
  Index line = 0;
  std::shared_ptr<const PointSet> left;
  std::shared_ptr<const PointSet> right;
};

// The pairs of lists, one after the other. Shapes are read once, as long as no more than `kept` of
// them are in use.
class PairReader {
 public:
  static constexpr Index kAll = static_cast<Index>(-1);

  PairReader(std::vector<std::string> lists, const ContextOptions& options, Index kept);
  ~PairReader();

  // False at the end. Throws InputError, also for a list without a pair.
  bool read(ShapePair& pair);

 private:
  class Lists;
  std::unique_ptr<Lists> lists_;
};

// All of them; every shape is read once.
std::vector<ShapePair> read_pair_lists(std::vector<std::string> lists,
                                       const ContextOptions& options);
// The pairs of a call: left, right, left, right, …
std::vector<ShapePair> read_pairs(std::span<const std::string> shapes,
                                  const ContextOptions& options);

// A picture's outline and points; `points` empty: sampled on the outline.
PointSet silhouette(const image::Raster& raster, PointSet points, const ContextOptions& options,
                    const std::string& name);

}  // namespace trellis::match
