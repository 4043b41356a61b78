// The steps of the parts in the dual extragradient method (extragradient.h), for the two geometries
// of the polytopes Z_i.
//
//   Euclidean   d(z, z') = ½‖z' − z‖², ẑ_i = z(y_i): steps are projections.
//   entropic    d(z, z') = KL(P_z' ‖ P_z) between distributions over outputs (Example 2 of sec.
//               2.4.2): with ẑ the marginals of exp(θ̂·z), a step of s from there is the marginals
//               of exp((θ̂ + s)·z), and a second one adds to θ again.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/oracle/part_oracle.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

class EuclideanPartSteps {
 public:
  explicit EuclideanPartSteps(const EuclideanPartOracle& oracle) : oracle_(oracle) {}

  const EuclideanPartOracle& oracle() const { return oracle_; }
  // The amount by which the minimum over z at s = 0 is below the value of from_center.
  double center_constant(Index, std::span<const double>, std::span<double>, std::span<double>,
                         Scratch&) const {
    return 0;
  }

  // v ← argmin_z −⟨s, z − y⟩ + σ d(ẑ, z); returns the minimum. `state` is for from_point.
  double from_center(Index i, std::span<const double> y, std::span<const double> s, double sigma,
                     Scratch& scratch, std::span<double> state, std::span<double> v) const {
    for (Index p = 0; p < y.size(); ++p) state[p] = y[p] + s[p] / sigma;
    oracle_.project(i, state, scratch, v);
    double linear = 0;
    double distance = 0;
    for (Index p = 0; p < y.size(); ++p) {
      const double change = v[p] - y[p];
      linear += s[p] * change;
      distance += change * change;
    }
    return sigma / 2 * distance - linear;
  }

  // u ← argmin_z −factor ⟨direction, z⟩ + d(v, z). u may be v.
  void from_point(Index i, std::span<const double> v, std::span<const double> direction,
                  double factor, Scratch& scratch, std::span<double> state,
                  std::span<double> u) const {
    for (Index p = 0; p < v.size(); ++p) state[p] = v[p] + factor * direction[p];
    oracle_.project(i, state, scratch, u);
  }

 private:
  const EuclideanPartOracle& oracle_;
};

// The centre ẑ_i has the marginals of exp(z(y_i)·z).
class EntropicPartSteps {
 public:
  explicit EntropicPartSteps(const EntropicPartOracle& oracle) : oracle_(oracle) {}

  const EntropicPartOracle& oracle() const { return oracle_; }
  // log Σ exp(θ̂·z); the minimum of from_center increases by σ times this.
  double center_constant(Index i, std::span<const double> y, std::span<double> state,
                         std::span<double> z, Scratch& scratch) const {
    for (Index p = 0; p < y.size(); ++p) state[p] = y[p];
    return oracle_.log_partition(i, state, scratch, z);
  }

  double from_center(Index i, std::span<const double> y, std::span<const double> s, double sigma,
                     Scratch& scratch, std::span<double> state, std::span<double> v) const {
    for (Index p = 0; p < y.size(); ++p) state[p] = y[p] + s[p] / sigma;
    return dot(s, y) - sigma * oracle_.log_partition(i, state, scratch, v);
  }

  void from_point(Index i, std::span<const double>, std::span<const double> direction,
                  double factor, Scratch& scratch, std::span<double> state,
                  std::span<double> u) const {
    axpy(factor, direction, state);
    oracle_.log_partition(i, state, scratch, u);
  }

 private:
  const EntropicPartOracle& oracle_;
};

}  // namespace trellis
