// The nearest point of a polytope:
//
//   argmin ½‖z − v‖²   over   {z : 0 ≤ z ≤ u,  lower ≤ A z ≤ upper}
//
// by a semismooth Newton method on the dual (Qi & Sun 1993; Li, Sun & Toh 2020 for projections).
// With a multiplier λ_i for each row (an inequality A_i z ≤ b_i has λ_i ≥ 0; a row with two sides
// counts as two) the Lagrangian is minimal at
//
//   z(λ) = min(u, max(0, v − Aᵀλ)),     so that the dual is   min_λ F(λ),   ∇F(λ) = b − A z(λ).
//
// F is convex and piecewise quadratic, with the generalised Hessian A D Aᵀ, where D is 1 at the
// variables strictly between their bounds and 0 elsewhere. A step solves
//
//   (A D Aᵀ + μI) d = −∇F     with μ → 0 as ∇F → 0
//
// (μ because rows may be redundant, and D may omit all variables of a row), and moves to the exact
// minimum of F along d, which is a root of a piecewise linear function. Multipliers that reach 0 on
// the way stay there for the rest of the step (Bertsekas 1982). F has finitely many pieces, and in
// the last one the step ends at the optimum, up to μ and rounding.
//
// Near the polytope, where learners project, about ten such steps suffice. Far from it F is nearly
// piecewise linear and the steps are short; once they are, an interior-point method
// (polytope_interior.h), which does not depend on the distance, supplies a λ close to the optimum,
// and Newton's method continues from that λ.
//
// Variables that are 0 in the whole polytope, because all coefficients of a row have one sign and
// b_i = 0, are removed first, together with the consequences. The fill-reducing order of A Aᵀ is
// computed once for each polytope (normal_equations.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

enum class ProjectionStatus {
  kOptimal,
  kEmpty,         // the polytope has no point; z = 0
  kNotConverged,  // the residual is above kTolerance: z is the best point found
};

struct ProjectionResult {
  ProjectionStatus status = ProjectionStatus::kNotConverged;
  // The largest violation of the optimality conditions, relative to max(1, ‖v‖∞): the bounds and z
  // = z(λ) hold exactly, the rest is |A z − b| (or its positive part if λ = 0).
  double residual = 0;
  Index factorizations = 0;
};

// One polytope, prepared for projections, and their memory; use one object per thread. The result
// does not depend on earlier projections.
class PolytopeProjection {
 public:
  static constexpr double kTolerance = 1e-10;  // of the residual

  // Throws UsageError if the program has auxiliary variables: then the nearest point in the parts
  // alone is not unique in the others, and F is not smooth.
  explicit PolytopeProjection(const LinearProgram& program);
  ~PolytopeProjection();
  PolytopeProjection(PolytopeProjection&&) noexcept;
  PolytopeProjection& operator=(PolytopeProjection&&) noexcept;

  // Requires finite v. z may be v itself.
  ProjectionResult project(std::span<const double> v, std::span<double> z);

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

// The polytopes used last, by a key: examples of the same shape share one polytope. A copy begins
// empty.
class ProjectionCache {
 public:
  static constexpr Index kCapacity = 16;

  ProjectionCache() = default;
  ProjectionCache(const ProjectionCache&) {}
  ProjectionCache& operator=(const ProjectionCache&) { return *this; }
  ProjectionCache(ProjectionCache&&) = default;
  ProjectionCache& operator=(ProjectionCache&&) = default;

  // `key` must determine the program completely; program() is called for a new key.
  PolytopeProjection& find(std::span<const std::uint32_t> key,
                           const std::function<LinearProgram()>& program);

 private:
  struct Entry {
    std::vector<std::uint32_t> key;
    PolytopeProjection projection;
  };

  std::vector<Entry> entries_;
  Index oldest_ = 0;
};

}  // namespace trellis
