// A matrix of scores made safe for sums over its perfect matchings: the best one, σ, and its dual
// variables (solve/matchings/assignment.h) give
//
//   r_ij = s_ij − u_i − v_j ≤ 0,    r_iσ(i) = 0,    Σ_i s_iπ(i) = Σ_i s_iσ(i) + Σ_i r_iπ(i) ,
//
// so that every factor e^r is in [0, 1], and the largest product of any permutation is 1. Columns
// are renamed such that σ is the identity.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/assignment.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class ReducedScores {
 public:
  // Scores are finite, n² by rows.
  void reduce(Index n, std::span<const double> scores);

  Index size() const { return n_; }
  bool is_of(Index n, std::span<const double> scores) const;    // the last call's, to the bit
  double best() const { return best_; }                         // Σ_i s_iσ(i), rounded once
  Label column(Index k) const { return column_of_[k]; }         // the one that is now called k
  std::span<const double> reduced() const { return reduced_; }  // r, by rows
  std::span<const double> factors() const { return factors_; }  // e^r, by rows

 private:
  Index n_ = 0;
  bool ready_ = false;
  std::vector<double> scores_;
  AssignmentSolver assignment_;
  std::vector<Label> column_of_;  // σ
  std::vector<double> reduced_, factors_;
  double best_ = 0;
};

}  // namespace trellis
