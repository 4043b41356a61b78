// IBM Model 1 (Brown et al. 1993), both directions, in the memory of its lexicon.
//
// Every target word j of a pair has posteriors (1 − p₀)/I · t(f_j | e_i) / D_j with
//
//   D_j = p₀ t(f_j | nothing) + (1 − p₀)/I Σ_i t(f_j | e_i),
//
// so, once the D_j are known, what a source word e counts depends on its own row t(· | e) alone.
// EM goes along the source words, with a row laid out by target word: one pass counts and makes a
// new row, another adds it to the new D_j. There is no table of counts, and no index of links: 12
// bytes an entry and 8 a target token, and some 2 ns for each cell of each pair. In the reverse
// direction the D of a word's tokens are sums over its own row and need not even be kept.
//
// The E-step is that of UniformPositions (position_model.h), to rounding; the M-step is the
// lexicon's (lexicon.h).
//
// The likelihood has one maximum but for nothing, so where it starts from matters little; it is the
// beginning of all other aligners, and says which entries they need: those that are, at some place
// in the bitext, at least `keep` of what generates a word.
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
