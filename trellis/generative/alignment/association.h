// Measures of association of two words, from counts of their co-occurrence, without a model of
// alignment. With c(e, f) the co-occurrences, c(e) and c(f) the tokens and N the total:
//
//   Dice's coefficient       2 c(e, f) / (c(e) + c(f))                        Dice (1945)
//   log-likelihood ratio     2 Σ o log(o / expected) over the four cells of   Dunning (1993);
//                            (e or not) × (f or not); 0 if they occur         Moore (2004)
//                            together less often than by chance
#pragma once

#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/generative/alignment/cooccurrence.h"
#include "trellis/generative/alignment/lexicon.h"

namespace trellis {

enum class Association { kDice, kLogLikelihoodRatio };
constexpr auto names_of(Association) {
  return Names{"measure of association", "dice", "llr"};
}

// 2 both / (e + f); 0 if neither occurs.
double dice(double both, double e, double f);
// The association of each entry, ≥ 0.
std::vector<double> associations(const Cooccurrence& found, Association measure);

// A lexicon of the scores, scaled like probabilities: the share of the largest in both directions.
void set_associations(std::span<const double> scores, Lexicon& lexicon);

}  // namespace trellis
