// log p(w | y) and the components of tokens without draws or iterations: the collapsed posterior,
// one token after another, with expected counts instead of counts.
//
//   log p(w | y) = Σ_i log p(w_i | w_<i, y),
//   p(w_i | w_<i, y) = Σ_l φ^y_wl (α + E[n_l | w_<i]) / (Lα + i − 1)
//
// is exact. The filter takes E[n_l | w_<i] ≈ n̂_l = Σ_{j<i} γ_jl with γ_il ∝ φ^y_wl (α + n̂_l): the
// update of CVB0 (Asuncion, Welling, Smyth & Teh 2009) in one pass, known for mixtures as
// quasi-Bayes (Smith & Makov 1978). It is exact for two tokens.
//
// The value depends on the order of the tokens, since γ_j is not revised by later tokens. So tokens
// with the most certain component come first: in a first pass by max_l φ^y_wl / Σ_l φ^y_wl, in the
// second one, which gives the value, by the same of φ^y_wl (α + n̂_l) with the n̂ of the first. The
// order of a document's words does not matter.
//
// Mean error in nats, compared with optimal bridges to the variational fit (class_inference.h,
// 10 000 samples), on 20 documents drawn from a model of two classes of 20 topics each and 20 that
// they share (tests/topics/disclda/class_filter_test.cc has bounds on 10 of them):
//
//   tokens                                  5     50    160    300
//   log p(w | y)                          0.06    0.9    3.0    7.8
//   log p(w | y) − log p(w | y')          0.06    1.3    2.2    2.6
//   value of the latter, y the true class  1.2     27     69    186
//
// The expected components are the derivatives of that value, ∂ log p(w | y) / ∂ log φ^y_wl — in the
// model itself these are E[z_i = l | w, y] — by one pass back, with λ_l = ∂ / ∂n̂_l:
//
//   φ_l ∂/∂φ_l = γ_l (1 + λ_l − Σ_m γ_m λ_m),   λ_l ← λ_l + φ_l / s · (1 + λ_l − Σ_m γ_m λ_m),
//
// where s normalises γ. So learning with these follows the exact gradient of the value, except
// where the order changes. They sum to 1 for each token; as approximations they may leave [0, 1].
// If counts are needed (update_topics()), they are clipped at 0 and scaled to the tokens of each
// word.
//
// O(L) for a token, in time and memory, and O(log W) for each of the W distinct words. Reuses its
// memory; use one object per thread.
#pragma once

#include <cstdint>
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
  // Words by how much of φ^y_w·, weighed by weights_, one component has.
  void order_tokens(const DocumentTables& document, Index y);
  double forwards(const DocumentTables& document, Index y, double alpha);
  void backwards(const DocumentTables& document, Index y, std::span<double> occupancy);

  std::vector<std::uint32_t> order_, tokens_;      // words, and the same with their repetitions
  std::vector<double> certainty_;                  // by word
  std::vector<double> gamma_, inverse_;            // by token: γ_il, and 1 / s_i
  std::vector<double> counts_, slopes_, weights_;  // n̂_l, λ_l, and what order_tokens() weighs by
};

}  // namespace trellis::topics
