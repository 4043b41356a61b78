// The polytope of the linear program (3.3) of quadratic assignments (Lacoste-Julien 2009, sec.
// 3.2.2 and 3.3) as a structure of its own. Relaxed training uses it; its loss is an upper bound of
// the exact one. Parts and the signs of their scores are those of QuadraticMatching:
//
//   Z = { Σ_{e ∋ n} z_e ≤ 1 + Σ_d z_nd   for each node n,
//         z_p ≤ z_a,  z_p ≤ z_b          for each pair p = ab,     0 ≤ z ≤ 1 }
//
// Outputs are its vertices, integral or fractional, and its other points, such as the indicator of
// a quadratic matching.
//
// maximize: sweeps if they prove that an integral output is best, otherwise Clp
// (solve/quadratic/quadratic_relaxation.h). project: solve/polytopes/polytope_projection.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/structure/matchings/quadratic_matching.h"
#include "trellis/structure/standing.h"

namespace trellis {

class RelaxedQuadraticMatching {
 public:
  using Output = std::vector<double>;  // z
  struct Scratch {
    QuadraticMatching::Scratch exact;
    ProjectionCache projections;
    std::vector<std::uint32_t> key;
  };
  static constexpr bool kSignedScores = true;                          // see Structure
  static constexpr Standing kMaximumStanding = Standing::kUpperBound;  // of QuadraticMatching's

  // Arguments as in QuadraticMatching.
  RelaxedQuadraticMatching(const MatchingEdges& edges, Index most_links,
                           std::span<const EdgePair> pairs)
      : exact_(edges, most_links, pairs) {}
  explicit RelaxedQuadraticMatching(const QuadraticMatching& exact) : exact_(exact) {}

  const QuadraticMatching& exact() const { return exact_; }
  Index num_parts() const { return exact_.num_parts(); }

  bool legal(const Output& y) const;  // lies in Z, up to 1e-7
  void indicator(const Output& y, std::span<double> z) const;
  double score(std::span<const double> s, const Output& y) const;

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const { return exact_.linear_program(); }

 private:
  QuadraticMatching exact_;
};

static_assert(Maximizer<RelaxedQuadraticMatching> && Projector<RelaxedQuadraticMatching>);

}  // namespace trellis
