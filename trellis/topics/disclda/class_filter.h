// log p(w | y) and the components of tokens without draws or iterations: the collapsed posterior,
// one token after another, with expected counts in the place of counts.
//
//   log p(w | y) = Σ_i log p(w_i | w_<i, y),
//   p(w_i | w_<i, y) = Σ_l φ^y_wl (α + E[n_l | w_<i]) / (Lα + i − 1)
//
// is exact. The filter takes E[n_l | w_<i] ≈ n̂_l = Σ_{j<i} γ_jl with γ_il ∝ φ^y_wl (α + n̂_l): the
// update of CVB0 (Asuncion, Welling, Smyth & Teh 2009) in one pass, known for mixtures as
// quasi-Bayes (Smith & Makov 1978). It is exact for two tokens, and on short documents much nearer
// than the bounds of class_variational.h. The order matters a little: values are means over the
// document forwards and backwards.
//
// The expected components are the derivatives of that value, ∂ log p(w | y) / ∂ log φ^y_wl — which
// is what they are in the model itself, E[z_i = l | w, y] — by one pass back, with λ_l = ∂ / ∂n̂_l:
//
//   φ_l ∂/∂φ_l = γ_l (1 + λ_l − Σ_m γ_m λ_m),   λ_l ← λ_l + φ_l / s · (1 + λ_l − Σ_m γ_m λ_m),
//
// s the sum that normalises γ. So learning that follows them follows the exact gradient of the
// value. They sum to 1 for each token; as approximations they may leave [0, 1] by a little.
//
// O(L) for a token, in time and memory. Holds its memory; one for each thread.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/disclda/disclda_model.h"

namespace trellis::topics {

class ClassFilter {
 public:
  // Returns log p(w | y). occupancy[word · L + l], which is overwritten: of the tokens of that
  // word, how many have component l.
  double run(const DocumentTables& document, Index y, double alpha, Index components,
             std::span<double> occupancy);

 private:
  template <class Order>
  double pass(const DocumentTables& document, Index y, double alpha, const Order& order,
              std::span<double> occupancy);

  std::vector<double> gamma_, inverse_;  // by token: γ_il, and 1 / s_i
  std::vector<double> counts_, slopes_;  // n̂_l and λ_l
};

}  // namespace trellis::topics
