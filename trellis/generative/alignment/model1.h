// IBM Model 1 (Brown et al. 1993), both directions, in the memory of its lexicon.
//
// Every target word j of a pair has posteriors (1 − p₀)/I · t(f_j | e_i) / D_j with
//
//   D_j = p₀ t(f_j | nothing) + (1 − p₀)/I Σ_i t(f_j | e_i),
//
// so, once the D_j are known, the counts of a source word e depend only on its own row t(· | e). EM
// visits the source words, with a row laid out by target word: one pass counts and makes a new row,
// another adds it to the new D_j. There is no table of counts, and no index of links: 12 bytes per
// entry and 8 per target token, and about 2 ns for each cell of each pair. In the reverse direction
// the D of a word's tokens are sums over its own row and need not even be stored.
//
// The E-step is that of UniformPositions (position_model.h), up to rounding; the M-step is the
// lexicon's (lexicon.h).
//
// Apart from the empty word the likelihood has one maximum, so the start hardly matters. All other
// aligners start from this model, and it selects the entries that they need: those with, at some
// position in the bitext, at least the share `keep` of the probability of a word.
#pragma once

#include <functional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/lexicon.h"
#include "trellis/generative/alignment/occurrences.h"

namespace trellis {

class Model1 {
 public:
  struct Options {
    double null = 0.2;  // p₀
    Lexicon::Options lexicon;
    int threads = 1;
  };
  // Every word of a row is as likely as any other. The bitext must outlive it.
  Model1(const Bitext& bitext, const Options& options);

  struct Likelihood {
    double forward = 0;  // Σ log p(f | e), of the parameters before the iteration
    double reverse = 0;
  };
  Likelihood iterate();

  // The lexicon so far; nothing is left here. Without the entries whose posterior is below `keep`
  // in both directions wherever they occur.
  Lexicon take(double keep);

 private:
  struct Cell {  // of a row, by target word
    float forward = 0, reverse = 0;
    double forward_count = 0, reverse_count = 0;
  };
  struct RowFigures {  // of a source word
    double reverse_likelihood = 0;
    double null_count = 0;
  };
  template <class Work>
  void each_row(const Work& work);
  RowFigures count_row(Index e, std::vector<Cell>& row) const;
  void update_reverse();
  void update_null(std::span<const RowFigures> rows);
  void add_up();

  const Bitext& bitext_;
  Options options_;
  Occurrences occurrences_;
  Support support_;
  std::vector<float> forward_, reverse_;            // t, by entry
  std::vector<float> null_forward_, null_reverse_;  // by word
  std::vector<double> totals_;                      // D_j, by target token
};

}  // namespace trellis
