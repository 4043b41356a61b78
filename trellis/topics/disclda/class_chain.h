// Gibbs sampling of a document's components given its class, with Φ known and θ integrated out:
//
//   p(z_i = l | z_¬i, y, w) ∝ φ^y_wl (α + n_l)                                              (4.22)
//
// O(L) for a token and sweep. Reuses its memory in repeated calls; use one object per thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/topics/disclda/disclda_model.h"

namespace trellis::topics {

class ClassChain {
 public:
  // Gives each token a component that those before it make likely. `document` is kept in view.
  void start(const DocumentTables& document, Index y, double alpha, Index components,
             Random& random);
  void sweep(Random& random);
  // Also adds each token's p(z_i = l | z_¬i) to occupancy[word · L + l]: expectations from these
  // have less noise than from the draws themselves.
  void sweep(Random& random, std::span<double> occupancy);

  std::span<const std::uint16_t> components() const { return components_; }  // by token
  std::span<const double> counts() const { return counts_; }                 // n_l

 private:
  template <bool kWithOccupancy>
  void draw_all(Random& random, std::span<double> occupancy);
  Index draw_one(std::span<const double> phi, Random& random);

  const DocumentTables* document_ = nullptr;
  Index class_ = 0;
  double alpha_ = 0;
  std::vector<std::uint16_t> components_;
  std::vector<double> counts_, prior_, weights_;  // prior_: α + n_l
};

}  // namespace trellis::topics
