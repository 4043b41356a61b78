// Parameters by Gibbs sampling (Östling & Tiedemann 2016; gibbs_chain.h): chains of both directions
// begin with alignments drawn from another aligner and run in parallel; their counts after the
// burn-in are averaged.
//
// The estimates are the posterior means given those counts: t = (n + α)/(Σ n + αV), and likewise
// for jumps and fertilities.
#pragma once

#include <functional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/fertility_sampler.h"
#include "trellis/generative/alignment/gibbs_chain.h"
#include "trellis/generative/alignment/lexicon.h"
#include "trellis/generative/alignment/word_aligner.h"

namespace trellis {

struct GibbsTraining {
  GibbsOptions chain;  // its direction and seed are set for each
  Index chains = 2;    // of each direction
  Index burn_in = 2;   // sweeps that are not counted
  Index sweeps = 4;    // that are
  int threads = 1;
  std::uint64_t seed = 1;
};

struct GibbsDirection {
  std::vector<double> lexical;       // mean counts, by entry
  std::vector<double> null_lexical;  // by word
  std::vector<double> jumps;         // c, by class
  FertilityTable fertilities;
};
struct GibbsEstimate {
  GibbsDirection forward, reverse;
};

// `start` draws the initial alignments of the chains; its lexicon has the entries. Each sweep of a
// chain calls `swept`, which may return false to stop: the result is then empty.
GibbsEstimate gibbs(const Bitext& bitext, const WordAligner& start, const GibbsTraining& training,
                    const std::function<bool()>& swept = {});

}  // namespace trellis
