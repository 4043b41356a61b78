// Alignment as Bayesian inference (Mermer & Saraçlar 2011; Östling & Tiedemann 2016): parameters
// have Dirichlet priors and are integrated out, and alignments are drawn by Gibbs sampling, one
// link at a time, given all other links.
//
//   p(f, a | e) ∝ Π_e DirMult(n_e· ; α) · DirMult(m ; η) · Π_e DirMult(r_e· ; βg) · Π_j p₀ or 1 −
//   p₀
//
// n_ef is the number of links of e with f (e may be nothing), m_d that of jumps of distance d
// between successive source positions (from −1, and to I at the end; beyond ±reach they share a
// class), and r_eφ how often e has fertility φ: the number of target words linked with it, at most
// kMostFertile. DirMult is the likelihood of counts whose multinomial has a Dirichlet prior. The
// prior is symmetric, except for fertilities, whose expectation is g, a Poisson distribution with
// mean 1: otherwise words that occur once or twice would be linked with anything. Jumps are not
// normalised to the sentence, and nothing is normalised to the fertilities: as in Brown et al.
// (1993), impossible alignments get some probability, and all counts stay conjugate.
//
// One draw of a_j costs O(I). Each chain is sequential; several chains, of either direction, run in
// parallel, so that bits do not depend on threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/entry_index.h"

namespace trellis {

struct GibbsOptions {
  double lexical_prior = 1e-3;  // α
  double null = 0.2;            // p₀
  double null_prior = 1e-3;     // α of the empty word
  Index reach = 100;
  bool fertility = true;
  bool reverse = false;  // target words generate source words
  std::uint64_t seed = 1;
};

class GibbsChain {
 public:
  static constexpr Index kMostFertile = 15;
  static constexpr double kJumpPrior = 0.5;     // η
  static constexpr double kFertilityPrior = 4;  // β, in occurrences of a word
  static constexpr std::uint16_t kNothing = 0xFFFF;

  // The bitext and the index of its entries must outlive the chain. Initially every word is linked
  // with nothing.
  GibbsChain(const Bitext& bitext, const EntryIndex& index, Index entries,
             const GibbsOptions& options);

  // Sets the links of the generated words of pair k: kNoLabel is nothing. Links outside of the
  // support become nothing.
  void start(Index k, std::span<const Label> a);

  // Draws every link, pair by pair.
  void sweep();

  // The counts of the state.
  std::span<const std::uint32_t> lexical() const { return lexical_; }            // n by entry
  std::span<const std::uint32_t> null_lexical() const { return null_lexical_; }  // by word
  std::span<const std::uint32_t> jumps() const { return jumps_; }                // m by class
  std::span<const std::uint32_t> fertilities() const { return fertilities_; }
  std::span<const std::uint16_t> alignment(Index k) const;  // of the generated words of pair k
  // log p(f, a | e) up to a constant.
  double log_joint() const;

 private:
  struct Pair {
    std::span<const WordId> generating, generated;
    std::uint16_t* a = nullptr;
  };
  Pair open(Index k);  // also lays out the entries of its cells
  std::uint32_t entry(const Pair& pair, Index i, Index j) const {
    return cells_[j * pair.generating.size() + i];
  }
  Index jump_class(std::ptrdiff_t distance) const;
  void add(const Pair& pair, Index j, Index i, int sign);
  void add_jump(Index from, Index to, int sign);
  void weigh_word(const Pair& pair, WordId e);
  void draw(const Pair& pair, Index j, Index previous, Index next, Random& random);
  std::uint32_t& fertile(WordId e, Index fertility) {
    return fertilities_[e * (kMostFertile + 1) + std::min(fertility, kMostFertile)];
  }

  const Bitext& bitext_;
  const EntryIndex& index_;
  GibbsOptions options_;
  Index generated_words_ = 0;
  std::uint64_t sweeps_ = 0;
  std::vector<Index> begin_;      // of the generated words of each pair
  std::vector<std::uint16_t> a_;  // by generated token
  std::vector<std::uint32_t> lexical_, null_lexical_, totals_, jumps_, fertilities_;
  std::uint32_t null_total_ = 0, jump_total_ = 0;
  std::array<double, kMostFertile + 1> fertility_prior_;  // βg

  // Memory for the current pair.
  std::vector<std::uint32_t> cells_;
  std::vector<std::uint16_t> fertility_;
  std::vector<double> weights_, factors_;
};

}  // namespace trellis
