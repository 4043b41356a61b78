// The moves of example_game.h in the geometry of the entropy, d(z, z') = KL(P_z' ‖ P_z): if z_i are
// the marginals of exp(θ_i·z), a step adds to θ_i,
//
//   u = E[z] under exp((θ_i + η s)·z),
//
// and the structure needs only sums. Per part, it stores three numbers: θ_i, its last change and
// z_i.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

class EntropicMoves {
 public:
  static constexpr bool kWhole = true;    // between z_i and u there is no point that θ is known of
  static constexpr bool kCarries = true;  // has look_on()

  explicit EntropicMoves(const EntropicPartOracle& oracle) : oracle_(oracle) {
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      begin_.push_back(begin_.back() + oracle.num_parts(i));
    }
    theta_.resize(begin_.back());
    last_.resize(begin_.back());
    z_.resize(begin_.back());
  }

  const PartOracle& oracle() const { return oracle_; }

  // z_i at the start: all outputs are equally probable, since a part with little mass takes long to
  // get more; or, if the weights are not 0, near the best outputs under the scores s.
  void begin(Index i, std::span<const double>, std::span<const double> s, Scratch& scratch) {
    const std::span<double> theta = of(theta_, i);
    for (Index p = 0; p < theta.size(); ++p) theta[p] = s.empty() ? 0.0 : kSharpness * s[p];
    oracle_.log_partition(i, theta, scratch, of(z_, i));
  }
  // z_i ← z(y_i) + share · (z_i − z(y_i)), if the geometry has such points; this one has not.
  bool draw_back(Index, std::span<const double>, double) { return false; }

  std::span<const double> point(Index i) { return of(z_, i); }
  // u; valid until the next call.
  std::span<const double> look(Index i, std::span<const double> s, double eta, Scratch& scratch) {
    return look_on(i, s, eta, scratch, 0);
  }
  // The same if θ_i also moves by a share of its last change.
  std::span<const double> look_on(Index i, std::span<const double> s, double eta, Scratch& scratch,
                                  double share = kCarried) {
    const std::span<const double> theta = of(theta_, i);
    const std::span<const double> last = of(last_, i);
    next_theta_.resize(theta.size());
    u_.resize(theta.size());
    for (Index p = 0; p < s.size(); ++p) next_theta_[p] = theta[p] + eta * s[p] + share * last[p];
    oracle_.log_partition(i, next_theta_, scratch, u_);
    return u_;
  }
  // z_i ← the last u; the share of the step is 1.
  void take(Index i, double) {
    const std::span<double> theta = of(theta_, i);
    const std::span<double> last = of(last_, i);
    for (Index p = 0; p < theta.size(); ++p) last[p] = next_theta_[p] - theta[p];
    std::copy(next_theta_.begin(), next_theta_.end(), theta.begin());
    std::copy(u_.begin(), u_.end(), of(z_, i).begin());
  }

  // A first η for an example whose best output is at the distance `change` from z_i, with
  // `curvature` the q of that change: 4 over the squared diameter.
  static double first_step(std::span<const double>, double curvature) { return 4 / curvature; }

  void save(Checkpoint& checkpoint) const {
    checkpoint.put("game/theta", theta_);
    checkpoint.put("game/last", last_);
    checkpoint.put("game/z", z_);
  }
  void load(const Checkpoint& checkpoint) {
    checkpoint.get("game/theta", theta_);
    checkpoint.get("game/last", last_);
    checkpoint.get("game/z", z_);
  }

 private:
  // The inverse temperature of the distribution that replaces best outputs: costs are of the order
  // of 1, and a point too close to a corner takes long to leave it.
  static constexpr double kSharpness = 1;
  static constexpr double kCarried = 0.9;  // of the last change

  std::span<double> of(std::vector<double>& all, Index i) const {
    return std::span(all).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

  const EntropicPartOracle& oracle_;
  std::vector<Index> begin_ = {0};  // of the parts of each example
  std::vector<double> theta_;
  std::vector<double> last_;  // θ's last change
  std::vector<double> z_;
  std::vector<double> next_theta_, u_;  // of the last look
};

}  // namespace trellis
