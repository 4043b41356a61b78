// F(x) of a factor graph: rows of attributes (WeightRow); each row is the part of one attribute in
// the scores of a run of parts. The map finds the weights of a graph once, when it is made, so that
// calls by learners neither hash nor allocate.
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
  // The rows must outlive the object.
  explicit FeatureMap(std::span<const WeightRow> rows);

  void scores(std::span<const double> w, std::span<double> s) const { part_scores(rows_, w, s); }
  // gradient += scale · F z
  void add_features(std::span<const double> z, double scale, std::span<double> gradient) const;
  // slope ← scale · F z, without runs of weights whose sums are all 0. `sums` is scratch memory.
  void features(std::span<const double> z, double scale, std::vector<double>& sums,
                SparseVector& slope) const;

 private:
  // Weights shared by one or more rows.
  struct Run {
    Index weight;
    Index size;
    Index offset;  // position among all weights of the graph
  };

  std::span<const WeightRow> rows_;
  std::vector<Index> offsets_;  // by row: the offset of its run
  std::vector<Run> runs_;       // ascending by weight, disjoint
  Index num_weights_ = 0;
};

}  // namespace trellis::factors
