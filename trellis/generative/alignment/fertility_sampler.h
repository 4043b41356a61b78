// Posteriors of links where words have fertilities (gibbs_chain.h), for parameters that are known:
//
//   p(f, a | e) ∝ Π_j t(f_j | e_{a_j}) · Π jumps c(d) · Π_i r(φ_i | e_i) · p₀ or 1 − p₀
//
// φ_i being the number of words linked with e_i. There is no sum over a in polynomial time, so they
// are estimated by Gibbs sampling: each sweep adds, for every word, the distribution that its link
// was drawn from (Rao & Blackwell), so a few sweeps do. The draws are keyed by the words of the
// pair and a seed: the same pair has the same links, wherever it stands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/position_model.h"

namespace trellis {

// r(φ | e) for φ = 0 … most; larger ones share the last. A row for each word that generates, and a
// last one for words that are not known.
struct FertilityTable {
  Index most = 0;
  std::vector<float> rows;  // (words + 1) × (most + 1)

  Index words() const { return rows.size() / (most + 1) - 1; }
  std::span<const float> of(WordId e) const {
    const Index row = e < words() ? Index{e} : words();
    return std::span(rows).subspan(row * (most + 1), most + 1);
  }
};

struct FertilitySampling {
  Index chains = 3;
  Index burn_in = 4;  // sweeps of each chain that are not counted
  Index sweeps = 8;   // that are
  std::uint64_t seed = 1;
};

class FertilitySampler {
 public:
  // c by class of distance, −reach … reach. All must outlive it.
  FertilitySampler(std::span<const double> jumps, const FertilityTable& fertilities, double null)
      : jumps_(jumps), fertilities_(fertilities), null_(null) {}

  // `log_t` is the grid of log t, `posterior` one of the same size; words: those that generate.
  void posteriors(Lengths lengths, std::span<const WordId> words, std::span<const double> log_t,
                  const FertilitySampling& sampling, std::uint64_t key,
                  std::span<double> posterior) const;

 private:
  class Chain;

  std::span<const double> jumps_;
  const FertilityTable& fertilities_;
  double null_;
};

}  // namespace trellis
