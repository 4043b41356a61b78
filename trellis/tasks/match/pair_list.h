// Pairs of shapes to match, one pair 'LEFT RIGHT' per line, with paths relative to the list's
// folder. '#' begins a comment. A shape is
//
//   house.tsv#17   frame 17 of a file of frames (point_file.h)
//   cat.png        a silhouette (or .pgm, .ppm, .pnm), whose outline is traced (contour.h). Its
//                  points are those of the file cat.points in the same folder, in pixels, if there
//                  is one; otherwise points are sampled evenly on the outline, and the truth is
//                  unknown. Contexts use the outline.
//   cat.txt        any other file: points (point_file.h)
//
// Points with equal ids are the true matches of a pair.
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
  std::string name;  // "LEFT RIGHT" as in the list
  std::string file;  // list and line; empty and 0 for a pair of the call
  Index line = 0;
  std::shared_ptr<const PointSet> left;
  std::shared_ptr<const PointSet> right;
};

// Reads the pairs of several lists. A shape is read only once while at most `kept` shapes are in
// use.
class PairReader {
 public:
  static constexpr Index kAll = static_cast<Index>(-1);

  PairReader(std::vector<std::string> lists, const ContextOptions& options, Index kept);
  ~PairReader();

  // Returns false at the end. Throws InputError, also for a list without a pair.
  bool read(ShapePair& pair);

 private:
  class Lists;
  std::unique_ptr<Lists> lists_;
};

// Reads all pairs; every shape is read once.
std::vector<ShapePair> read_pair_lists(std::vector<std::string> lists,
                                       const ContextOptions& options);
// The pairs given in a call: left, right, left, right, …
std::vector<ShapePair> read_pairs(std::span<const std::string> shapes,
                                  const ContextOptions& options);

// The outline and points of a picture; if `points` is empty, they are sampled on the outline.
PointSet silhouette(const image::Raster& raster, PointSet points, const ContextOptions& options,
                    const std::string& name);

}  // namespace trellis::match
