// The moves of example_game.h in the Euclidean geometry, d(z, z') = ½‖z' − z‖²: u is the nearest
// point of Z_i to z_i + η s, computed as in solve/polytopes/oracle_projection.h, by Wolfe's (1976)
// method of active corners, with two differences.
//
//   * z_i is stored as a mix of corners, and the search begins with these: a projection continues
//     from the end of the last one of this example.
//   * It ends as soon as a better corner can gain at most a tenth of the gain over z_i so far, or
//     after kNewcomers corners. So u need not be the nearest point; but any u that is not farther
//     from z_i + η s than z_i is a direction of ascent: ρ ≥ d(z_i, u)/η, half of what the nearest
//     point guarantees.
//
// A corner is a best output, stored without zeros; if there are more than kMostCorners, the two
// with the least weight are replaced by their mean, which is also a point of Z_i. The structure
// needs only best outputs. If it has these only for scores of one sign (cuts, whose edge weights
// must stay ≥ 0), the search must not request others: parts scored by such weights, and parts
// without scores, are left out of the distance, ½ Σ_p m_p (z'_p − z_p)² with m_p = 0. For these
// parts the search uses η s, which has the right sign.
//
// Memory: the corners, and a byte per part if weights must stay ≥ 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/oracle/part_oracle.h"
#include "trellis/solve/polytopes/vertex_mix.h"

namespace trellis {

// The functions are those of entropic_moves.h.
class EuclideanMoves {
 public:
  static constexpr bool kWhole = false;
  static constexpr bool kCarries = false;

  explicit EuclideanMoves(const PartOracle& oracle);

  const PartOracle& oracle() const { return oracle_; }
  void begin(Index i, std::span<const double> y, std::span<const double> s, Scratch& scratch);
  bool draw_back(Index i, std::span<const double> y, double share);
  std::span<const double> point(Index i);
  std::span<const double> look(Index i, std::span<const double> s, double eta, Scratch& scratch);
  // z_i ← z_i + share · (u − z_i)
  void take(Index i, double share);
  // ‖change‖² over its curvature: the step that is right in the direction of the best output.
  static double first_step(std::span<const double> change, double curvature);
  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  static constexpr Index kNewcomers = 2;
  static constexpr Index kMostCorners = 30;
  static constexpr double kEnough = 0.1;
  static constexpr double kNegligible = 1e-13;  // of the terms of a gap

  struct Mix {
    std::vector<SparseVector> corners;
    std::vector<double> weights;
  };
  // An active corner, and its index in the mix at the start of the search; kNew: not in that mix.
  struct Corner {
    SparseVector point;
    Index place;
  };
  static constexpr Index kNew = ~Index{0};

  void measure_parts();
  bool measured(Index i, Index p) const { return measured_.empty() || measured_[i][p] != 0; }
  void join_old(Index i);
  bool join(Index i, const SparseVector& corner, Index place);
  void write_mix();
  static void merge_lightest(Mix& mix);

  const PartOracle& oracle_;
  std::vector<Mix> mixes_;                           // by example
  std::vector<std::vector<std::uint8_t>> measured_;  // by example: m; empty where all are 1
  // A corner with less than 1e-11 of its square outside the affine hull of others is in it.
  VertexMix<Corner> active_{1e-11};
  std::vector<double> z_, u_, goal_, direction_, vertex_, dense_;
  SparseVector corner_;
};

}  // namespace trellis
