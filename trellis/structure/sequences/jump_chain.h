// Walks of J steps over I positions: y_0 … y_{J−1}, each a position 0 … I−1 or nothing (kNoLabel).
// The score of a step depends on its jump from the last position taken; steps to nothing do not
// change that position. It is the output space of word alignment by hidden Markov models (Vogel,
// Ney & Tillmann 1996; nothing as in Och & Ney 2003, sec. 2.1).
//
//   s·z(y) = Σ_j node[j][y_j] + Σ_{j : y_j ≠ nothing} ( depart[k_j] + jump[class(y_j − k_j)] )
//            + stop[k_J]
//
// where k_j is the last position taken before j, −1 if there is none. Jumps beyond ±reach share the
// class of ±reach. A model that normalises jumps within the sentence puts −log Σ_i exp jump[class(i
// − k)] in `depart`, and the scores of the ends of walks in `stop`. Parts:
//
//   node     J × (I+1)      part j·(I+1) + i, with i = I for nothing
//   jump     2·reach + 1    by class; z counts
//   depart   I+1            from −1, 0, …, I−1; z counts
//   stop     I+1            likewise
//
// A walk is a chain over 2 I + 1 states (position, and whether the step is nothing), but the sums
// need only the last position taken, and their matrices are Toeplitz: O(J I²) time in contiguous
// loops, O(J I) memory. Safe for part scores of ±1e9: sums run in a scaled domain while that is
// exact up to rounding, and in the log domain otherwise (jump_chain_log.cc).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

class JumpChain {
 public:
  using Output = std::vector<Label>;
  // Only JumpChain reads the content, which has no meaning after a call.
  struct Scratch {
    std::vector<double> shifted, node, shifts;    // exp of the part scores, by rows
    std::vector<double> jump, reversed, reached;  // by distance; what marginals count
    std::vector<double> depart, stop;
    std::vector<double> forward, arrivals, scales;
    std::vector<double> backward, leaving, entering, row;
    std::vector<Label> came_from;
    double total = 0;
  };

  // Requires reach ≥ 1.
  JumpChain(Index length, Index positions, Index reach);

  Index length() const { return length_; }
  Index positions() const { return positions_; }
  Index num_classes() const { return 2 * reach_ + 1; }
  Index num_parts() const { return stop_part(kNoLabel) + positions_ + 1; }
  Index node_part(Index j, Label y) const {
    return j * (positions_ + 1) + (y == kNoLabel ? positions_ : static_cast<Index>(y));
  }
  Index jump_part(std::ptrdiff_t distance) const;
  // `last` is the last position taken; kNoLabel, which is −1: none yet.
  Index depart_part(Label last) const { return jump_begin() + num_classes() + memory(last); }
  Index stop_part(Label last) const {
    return depart_part(kNoLabel) + positions_ + 1 + memory(last);
  }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  // Ties go to nothing, then to the smallest position, read from the end.
  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;  // the value alone
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  LinearProgram linear_program() const;

 private:
  // Messages are indexed by the last position taken, counted from 1; 0: none yet.
  static Index memory(Label last) { return static_cast<Index>(last) + 1; }
  Index memories() const { return positions_ + 1; }
  Index jump_begin() const { return length_ * (positions_ + 1); }
  // The jump scores by distance: that of d at [d + positions − 1], d = −(I−1) … I.
  void spread_jumps(std::span<const double> s, std::vector<double>& by_distance) const;
  template <class Visit>
  void walk(const Output& y, const Visit& visit) const;

  // The scaled domain.
  bool exponentiate(std::span<const double> s, Scratch& scratch, double& shift) const;
  bool forward_scaled(std::span<const double> s, Scratch& scratch, double& value) const;
  void marginals_scaled(Scratch& scratch, std::span<double> marginals) const;
  void sample_scaled(Random& random, Scratch& scratch, Output& y) const;

  // jump_chain_log.cc
  double backward_log(std::span<const double> s, Scratch& scratch) const;
  void log_options(std::span<const double> s, Index j, Index last, Scratch& scratch) const;
  void marginals_log(std::span<const double> s, Scratch& scratch,
                     std::span<double> marginals) const;
  void sample_log(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;

  Index length_, positions_, reach_;
};

}  // namespace trellis
