// The nearest point of a polytope, argmin ½‖z − v‖², if the polytope is known only by its best
// vertex in a direction: Wolfe (1976), "Finding the nearest point in a polytope", with active
// vertices z_k and weights w_k,
//
//   z = Σ_k w_k z_k,    (⟨z_k, z_l⟩ + 1)_kl w = c − μ1,   c_k = ⟨z_k, v⟩,   Σ_k w_k = 1 ,
//
// the nearest point of their affine hull; μ absorbs the common part of all c, so a distant v costs
// no digits. The best vertex in the direction v − z joins, and vertices leave whose weights would
// become negative. Each set of vertices occurs at most once, so the method ends; then the last
// vertex from the oracle proves that ½‖z − v‖² is within
//
//   gap = max_{z' ∈ Z} ⟨v − z, z' − z⟩
//
// of the minimum. Time: for K active vertices of P parts O(K P + K²) and one call of the oracle for
// each vertex that joins, O(K³) for each that leaves. z is a convex combination of vertices in
// spite of rounding.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/solve/polytopes/vertex_mix.h"

namespace trellis {

// The active vertices, and all memory; use one object per thread. The result does not depend on
// earlier projections.
class OracleProjectionScratch {
 public:
  // The steps of oracle_projection, which calls the oracle in between.
  void begin(std::span<const double> v);
  std::span<const double> direction() const { return direction_; }
  std::span<double> vertex() { return newcomer_; }
  // Adds the vertex just written. False if the current point is already the nearest; then the
  // result is complete.
  bool advance(ProjectionResult& result);
  std::span<const double> point() const { return z_; }
  Index num_active() const { return active_.size(); }
  // An upper bound of ½‖z − v‖² minus its minimum.
  double gap() const { return gap_; }

 private:
  double measure_gap(double& scale) const;
  bool join();
  void mix();

  std::vector<double> v_, z_, direction_, newcomer_;
  // A vertex with less than 1e-11 of its square outside the affine hull of others is in it.
  VertexMix<std::vector<double>> active_{1e-11};
  Index asked_ = 0;
  double length_ = 1;  // max(1, ‖v‖∞)
  double gap_ = 0;
};

// maximize(s, z): writes to z a vertex that maximises ⟨s, z⟩ and returns that; −∞ without vertices.
// In the result `residual` is the gap relative to max(1, ‖v‖∞) · max(1, ‖z' − z‖₁), kOptimal means
// ≤ 1e−10, and `factorizations` counts the vertices from the oracle. z may be v itself.
template <class Maximize>
ProjectionResult oracle_projection(std::span<const double> v, Maximize&& maximize,
                                   OracleProjectionScratch& scratch, std::span<double> z) {
  scratch.begin(v);
  ProjectionResult result;
  do {
    if (maximize(scratch.direction(), scratch.vertex()) == -kInfinity) {
      result.status = ProjectionStatus::kEmpty;
      for (double& value : z) value = 0;
      return result;
    }
  } while (scratch.advance(result));
  const std::span<const double> point = scratch.point();
  for (Index p = 0; p < z.size(); ++p) z[p] = point[p];
  return result;
}

}  // namespace trellis
