// Posteriors of links where words have fertilities (Brown et al. 1993, Model 3, with the jumps of a
// hidden Markov model; gibbs_chain.h), for parameters that are known:
//
//   p(f, a | e) ∝ Π_j t(f_j | e_{a_j}) · Π jumps c(d) · Π_i r(φ_i | e_i) · p₀ or 1 − p₀
//
// φ_i being the number of words linked with e_i. There is no sum over a in polynomial time, so they
// are estimated by Gibbs sampling: each sweep adds, for every word, the distribution that its link
// was drawn from (Rao & Blackwell), so a few sweeps do. A chain begins with links drawn one after
// the other as if no word followed. The draws are keyed by the words of the pair and a seed: the
// same pair has the same links, wherever it stands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/fixed_counts.h"
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

// Probabilities of fertilities from (words) × (most + 1) counts. The total over all words is the
// mean of each word's prior, with the weight of `prior` words, and the row of unknown words.
FertilityTable fertility_table(std::span<const double> counts, Index most, double prior);

struct FertilitySampling {
  Index chains = 2;
  Index burn_in = 3;  // sweeps of each chain that are not counted
  Index sweeps = 6;   // that are
  std::uint64_t seed = 1;
};

// What states of chains count, a state of n as 1/n.
struct FertilityCounts {
  std::span<double> jumps;   // by class of distance
  FixedCounts& fertilities;  // (words) × (most + 1)
  bool alone = true;         // no other thread adds
};

class FertilitySampler {
 public:
  struct Scratch {
    std::vector<double> t, shifts, jump, reversed, ratios, weights;
    std::vector<Index> a, fertility, next;
  };

  // c by class of distance, −reach … reach. All must outlive it.
  FertilitySampler(std::span<const double> jumps, const FertilityTable& fertilities, double null)
      : jumps_(jumps), fertilities_(fertilities), null_(null) {}

  // `log_t` is the grid of log t, `posterior` one of the same size; words: those that generate.
  // Returns the mean log p(f, a | e) of the last state of each chain.
  double posteriors(Lengths lengths, std::span<const WordId> words, std::span<const double> log_t,
                    const FertilitySampling& sampling, std::uint64_t key, Scratch& scratch,
                    std::span<double> posterior, FertilityCounts* counts = nullptr) const;

 private:
  class Chain;

  std::span<const double> jumps_;
  const FertilityTable& fertilities_;
  double null_;
};

}  // namespace trellis
