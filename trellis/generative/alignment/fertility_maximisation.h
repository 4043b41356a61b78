// EM for aligners whose words have fertilities (fertility_sampler.h), both directions at once: the
// E-step is made of draws, a chain of a few sweeps for each pair (Wei & Tanner 1990), the M-step is
// that of expectation_maximisation.h, and so is agreement: draws of the two directions do not know
// of each other, so the product of two estimates is an estimate of the product.
//
// Jumps are not normalised to the sentence here: c(d) = (N_d + η)/Σ. A word's fertilities are
// shrunk towards what all words have. Same bits for any number of threads: draws are keyed by pair.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/entry_index.h"
#include "trellis/generative/alignment/expectation_maximisation.h"
#include "trellis/generative/alignment/fertility_sampler.h"
#include "trellis/generative/alignment/lexicon.h"
#include "trellis/generative/alignment/pair_cells.h"

namespace trellis {

struct FertilityTraining {
  static constexpr Index kMostFertile = 15;

  FertilitySampling sampling{1, 1, 2, 1};  // of each pair in each E-step
  double null = 0.1;                       // p₀
  double jump_prior = 0.5;                 // η
  double fertility_prior = 4;              // words that all words' fertilities are worth
  int threads = 1;
};

// What one direction learns besides its lexicon.
struct FertilityParameters {
  std::vector<double> jumps;
  FertilityTable fertilities;

  // No fertility is likelier than another.
  FertilityParameters(std::span<const double> c, Index words);
  FertilityParameters(std::span<const double> jumps, FertilityTable fertilities)
      : jumps(jumps.begin(), jumps.end()), fertilities(std::move(fertilities)) {}
};

class FertilityMaximisation {
 public:
  // The first two must outlive it.
  FertilityMaximisation(const Bitext& bitext, Lexicon& lexicon, const FertilityTraining& training);

  // Σ log p(f, a | e) and Σ log p(e, b | f), of alignments that were drawn. `number` keys draws.
  EmIteration iterate(FertilityParameters& forward, FertilityParameters& reverse, bool agree,
                      std::uint64_t number);

 private:
  struct Worker {
    PairCells cells;
    std::vector<double> forward_t, reverse_t, forward, reverse;  // grids
    FertilitySampler::Scratch scratch;
  };
  class Step;

  const Bitext& bitext_;
  Lexicon& lexicon_;
  FertilityTraining training_;
  EntryIndex index_;
  int threads_;
  LexiconCounts counts_;
  std::vector<Worker> workers_;
};

}  // namespace trellis
