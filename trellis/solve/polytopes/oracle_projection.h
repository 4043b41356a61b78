// The nearest point of a polytope, argmin ½‖z − v‖², where all that is known of it is its best
// vertex in a direction: Wolfe (1976), "Finding the nearest point in a polytope", with active
// vertices z_k and weights w_k,
//
//   z = Σ_k w_k z_k,    (⟨z_k, z_l⟩ + 1)_kl w = c − μ1,   c_k = ⟨z_k, v⟩,   Σ_k w_k = 1 ,
//
// the nearest point of their affine hull; μ takes up what all c have in common, so a v that is far
// away costs no digits. A vertex joins that is best in the direction v − z, and those leave whose
// weights would become negative. Each set of vertices turns up once, so it ends; and when it does,
// the last vertex asked for proves that ½‖z − v‖² is within
//
//   gap = max_{z' ∈ Z} ⟨v − z, z' − z⟩
//
// of the least there is. Time: for K active vertices of P parts O(K P + K²) and a call of the
// oracle for each that joins, O(K³) for each that leaves. z is a mix of vertices whatever rounding
// does.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/solve/polytopes/vertex_mix.h"

namespace trellis {

// The active vertices, and the memory of all; one for each thread. What is projected does not
// depend on what was projected before.
class OracleProjectionScratch {
 public:
  // The steps of oracle_projection, which calls the oracle in between.
  void begin(std::span<const double> v);
  std::span<const double> direction() const { return direction_; }
  std::span<double> vertex() { return newcomer_; }
  // Takes in the vertex just written. False where the point at hand is the nearest already; then
  // the result is complete.
  bool advance(ProjectionResult& result);
  std::span<const double> point() const { return z_; }
  Index num_active() const { return active_.size(); }
  // An upper bound of ½‖z − v‖² less its minimum.
  double gap() const { return gap_; }

 private:
  double measure_gap(double& scale) const;
  bool join();
  void mix();

  std::vector<double> v_, z_, direction_, newcomer_;
  // Below 1e-11 of its square a vertex is taken to lie in the affine hull of the others.
  VertexMix<std::vector<double>> active_{1e-11};
  Index asked_ = 0;
  double length_ = 1;  // max(1, ‖v‖∞)
  double gap_ = 0;
};

// maximize(s, z): writes to z a vertex that maximizes ⟨s, z⟩ and returns that; −∞ where the
// polytope is empty. In the result `residual` is the gap relative to max(1, ‖v‖∞) · max(1, ‖z' −
// z‖₁), kOptimal means ≤ 1e−10, and `factorizations` are the vertices asked for. z may be v itself.
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
