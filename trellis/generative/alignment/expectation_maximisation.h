// EM for two aligners at once, one for each direction, over one pass of the bitext.
//
// An E-step finds the posteriors p(a_j = i | e, f) of the forward model, where source words
// generate target words, and those of the reverse one, and counts; an M-step makes parameters of
// the counts, and never lowers the likelihood (Dempster, Laird & Rubin 1977; with smoothing, the
// penalised likelihood or its variational bound).
//
// Agreement (Liang, Taskar & Klein 2006): both directions count a link (i, j) as often as both see
// it, drawn independently of each other,
//
//   q(i, j) = p(a_j = i | e, f) · p(b_i = j | e, f),
//
// so that each learns from what the other believes. The likelihoods may then fall.
//
// Same bits for any number of threads: counts of the lexicon are of fixed point, all else is added
// along a tree (base/parallel.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/entry_index.h"
#include "trellis/generative/alignment/lexicon.h"
#include "trellis/generative/alignment/pair_cells.h"
#include "trellis/generative/alignment/position_model.h"

namespace trellis {

struct EmIteration {
  double forward = 0;  // Σ log p(f | e), of the parameters before the iteration
  double reverse = 0;  // Σ log p(e | f)
};

class ExpectationMaximisation {
 public:
  // Both must outlive it.
  ExpectationMaximisation(const Bitext& bitext, Lexicon& lexicon, int threads);

  EmIteration iterate(PositionModel& forward, PositionModel& reverse, bool agree);

 private:
  struct Worker {
    PositionScratch forward, reverse;
    PairCells cells;
  };
  class Step;

  const Bitext& bitext_;
  Lexicon& lexicon_;
  EntryIndex index_;
  int threads_;
  LexiconCounts counts_;
  std::vector<Worker> workers_;
};

}  // namespace trellis
