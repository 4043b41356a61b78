// F(x) of a factor graph: rows of attributes (WeightRow), each the share of one in the scores of a
// run of parts. Learners' calls neither hash nor allocate: which weights a graph touches is found
// out when the map is made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/tasks/factors/graph_file.h"

namespace trellis::factors {

// s ← Fᵀ w
void part_scores(std::span<const WeightRow> rows, std::span<const double> w, std::span<double> s);

class FeatureMap {
 public:
  // The rows must outlive it.
  explicit FeatureMap(std::span<const WeightRow> rows);

  void scores(std::span<const double> w, std::span<double> s) const { part_scores(rows_, w, s); }
  // gradient += scale · F z
  void add_features(std::span<const double> z, double scale, std::span<double> gradient) const;
  // slope ← scale · F z, without the runs of weights that come to 0. `sums` is memory.
  void features(std::span<const double> z, double scale, std::vector<double>& sums,
                SparseVector& slope) const;

 private:
  // Weights that a row or several share.
  struct Run {
    Index weight;
    Index size;
    Index offset;  // among all weights of the graph
  };

  std::span<const WeightRow> rows_;
  std::vector<Index> offsets_;  // by row: of its run
  std::vector<Run> runs_;       // ascending by weight, disjoint
  Index num_weights_ = 0;
};

}  // namespace trellis::factors
