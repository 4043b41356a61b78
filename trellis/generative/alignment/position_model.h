// The source position of each target word: the distribution p(a | I, J) of alignments a_0 …
// a_{J−1}, each a source position 0 … I−1 or nothing (the empty word). It defines whether an
// aligner is Model 1, Model 2 or a hidden Markov model. With a lexicon t,
//
//   p(f, a | e) = p(a | I, J) Π_j t(f_j | e_{a_j}),
//
// and aligners need only sums and maxima over a. Every model chooses nothing with probability p₀.
//
//   uniform    p(i) = (1 − p₀)/I                           Brown et al. (1993), Model 1
//   table      p(i | j, I, J), one parameter each          Brown et al. (1993), Model 2
//   diagonal   p(i | j) ∝ exp(−λ |(i+1)/I − (j+1)/J|)      Dyer, Chahuneau & Smith (2013)
//   jumps      p(i | i') ∝ c(i − i')                       Vogel, Ney & Tillmann (1996)
//
// The first three choose each a_j independently: J sums over I + 1 labels
// (structure/sets/multiclass.h). The last is a walk (structure/sequences/jump_chain.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/alignment/fixed_counts.h"
#include "trellis/structure/sequences/jump_chain.h"

namespace trellis {

enum class Positions { kUniform, kTable, kDiagonal, kJumps };
constexpr auto names_of(Positions) {
  return Names{"model of positions", "uniform", "table", "diagonal", "jumps"};
}

// The lengths of a sentence pair: I words that generate, J generated words.
struct Lengths {
  Index source = 0;
  Index target = 0;

  auto operator<=>(const Lengths&) const = default;
  Index grid() const { return target * (source + 1); }
};

// Use one per thread. A grid has J rows of I + 1 numbers, the last for nothing.
struct PositionScratch {
  std::vector<double> scores;     // in: the grid of log t(f_j | e_i); what follows is the model's
  std::vector<double> marginals;  // out: the grid of p(a_j = i | e, f), likewise
  JumpChain::Scratch chain;
  std::vector<double> row;

  std::span<double> posterior(Lengths lengths) {
    return std::span(marginals).first(lengths.grid());
  }
};

class PositionModel {
 public:
  virtual ~PositionModel() = default;
  virtual Positions kind() const = 0;

  // The length of the vector of scores; the caller fills its first grid() numbers.
  virtual Index num_scores(Lengths lengths) const { return lengths.grid(); }

  // The following functions overwrite scores.scores with their results. log p(f | e), and the
  // posteriors.
  virtual double sums(Lengths lengths, PositionScratch& scratch) const = 0;
  // The best alignment, kNoLabel for nothing; log p(f, a | e).
  virtual double maximize(Lengths lengths, PositionScratch& scratch,
                          std::vector<Label>& a) const = 0;
  // A draw from p(a | e, f).
  virtual void sample(Lengths lengths, PositionScratch& scratch, Random& random,
                      std::vector<Label>& a) const = 0;

  // EM. The counts of an E-step: small sums, in a vector for each thread, and cells of large
  // tables, which all threads share.
  virtual Index num_sums() const { return 0; }
  virtual Index num_cells() const { return 0; }
  // Adds the expected counts of a pair, after sums().
  virtual void count(Lengths, PositionScratch&, std::span<double> /*sums*/,
                     FixedCounts& /*cells*/) const {}
  // The parameters that EM changes, for checkpoints: set_parameters(parameters()) changes nothing.
  // Throws UsageError if their number is wrong.
  virtual std::vector<double> parameters() const { return {}; }
  virtual void set_parameters(std::span<const double> values);
  // The M-step: never decreases the expected log-likelihood.
  virtual void update(std::span<const double> /*sums*/, const FixedCounts& /*cells*/) {}
};

// Throws UsageError unless there are `expected` parameters.
void require_parameters(std::span<const double> values, Index expected);

}  // namespace trellis
