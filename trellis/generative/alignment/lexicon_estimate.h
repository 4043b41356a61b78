// The M-step of one multinomial of a lexicon (lexicon.h): log t of a word's expected count, given
// what the counts of its row add up to.
#pragma once

#include "trellis/base/types.h"
#include "trellis/generative/alignment/lexicon.h"

namespace trellis {

class LexiconEstimate {
 public:
  // `words`: how many there are to choose from.
  LexiconEstimate(const Lexicon::Options& options, double total, Index words);
  // Not below the floor.
  float operator()(double count) const;

 private:
  Smoothing smoothing_;
  double prior_, floor_, log_total_;
};

}  // namespace trellis
