// A document given its class by independent tokens: q(z) = Π_i γ_i.
//
// Mean field (Blei, Ng & Jordan 2003), with the optimal q(θ) for the current γ:
//
//   γ_wl ∝ φ^y_wl exp ψ(α + n̂_l),   n̂_l = Σ_i γ_il,
//   F(γ) = log Γ(Lα) − log Γ(Lα + N) + Σ_l log Γ(α + n̂_l) / Γ(α) + Σ_il γ_il log(φ^y_wl / γ_il)
//        ≤ log p(w | y),
//
// which increases with every sweep; at its maximum ∂F / ∂φ^y_wl = Σ_{i: w_i = w} γ_il / φ^y_wl.
//
// Collapsed, order zero (Asuncion, Welling, Smyth & Teh 2009): γ_il ∝ φ^y_wl (α + n̂_l − γ_il),
// whose γ are close to the marginals of p(z | w, y): bridge sampling draws from these
// (class_inference.h).
//
// Tokens of one word share their γ. O(L) for a word and sweep. Reuses its memory; use one object
// per thread.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/disclda/disclda_model.h"

namespace trellis::topics {

struct VariationalOptions {
  Index max_sweeps = 100;
  double tolerance = 1e-4;  // of the largest change of an n̂_l in a sweep
};

class ClassVariational {
 public:
  // Returns F.
  double fit_mean_field(const DocumentTables& document, Index y, double alpha, Index components,
                        const VariationalOptions& options);
  void fit_collapsed(const DocumentTables& document, Index y, double alpha, Index components,
                     const VariationalOptions& options);

  // γ_wl, by number of the document's words; and n̂_l.
  std::span<const double> gamma(Index word) const {
    return std::span(gamma_).subspan(word * counts_.size(), counts_.size());
  }
  std::span<const double> counts() const { return counts_; }

 private:
  void begin(const DocumentTables& document, Index components);
  // Return the largest change of an n̂_l.
  double mean_field_sweep(const DocumentTables& document, Index y, double alpha);
  double collapsed_sweep(const DocumentTables& document, Index y, double alpha);

  std::vector<double> gamma_, counts_, previous_, weights_;
  double mixed_ = 0;  // Σ_i log Σ_l φ^y_wl exp ψ_l − Σ_l n̂_l ψ_l of the last sweep
};

}  // namespace trellis::topics
