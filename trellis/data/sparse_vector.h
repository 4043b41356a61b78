// A sparse vector as a list of dense runs: the natural shape of a slope F(z), where each attribute
// contributes a block of weights (its row of labels).
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Runs are disjoint and sorted by begin. Storage is reused by clear(), so that filling one of
// these in a loop does not allocate.
class SparseVector {
 public:
  struct Run {
    Index begin;   // first coordinate
    Index size;    // number of coordinates
    Index offset;  // where its values start
  };

  void clear();
  // Appends a run of `size` zeros at coordinate `begin`, which must not lie before the end of the
  // last run. The span is valid until the next append.
  std::span<double> append(Index begin, Index size);

  std::span<const Run> runs() const { return runs_; }
  std::span<const double> values(const Run& run) const {
    return {values_.data() + run.offset, run.size};
  }
  std::span<double> values(const Run& run) { return {values_.data() + run.offset, run.size}; }
  Index num_stored() const { return values_.size(); }
  bool empty() const { return values_.empty(); }

  double dot(std::span<const double> dense) const;
  double dot(const SparseVector& other) const;
  double squared_norm() const;
  void add_to(std::span<double> dense, double scale) const;  // dense += scale · this
  void scale(double factor);
  // this ← this + scale · other, by merging runs. Allocates only if a run of the other does not lie
  // within one of ours.
  void add(const SparseVector& other, double scale);
  void assign_dense(std::span<const double> dense);  // one run per stretch of non-zeros

 private:
  bool add_within(const SparseVector& other, double scale);

  std::vector<Run> runs_;
  std::vector<double> values_;
};

}  // namespace trellis
