// Scores of the trees of a treebank: EVALB's scores (evalb.h) over all sentences, by category and
// by length. Unlike EVALB it never stops early: sentences that cannot be compared, for example
// those with punctuation tagged as words, are counted and left out, however many there are.
#pragma once

#include <array>
#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/scorers/evalb.h"

namespace trellis::grammar {

class TreebankScores {
 public:
  static constexpr Index kLengthStep = 10, kLengths = 5;  // words: 1 … 10, …, 41 and more

  explicit TreebankScores(EvalbParameters parameters = EvalbParameters::collins());

  // The match of this sentence, valid until the next call.
  const BracketMatch& add(const ConstituencyTree& gold, const ConstituencyTree& test);

  const Evalb& evalb() const { return evalb_; }
  const EvalbSums& all() const { return evalb_.all(); }
  const std::array<EvalbSums, kLengths>& by_length() const { return by_length_; }
  static std::string length_name(Index bucket);  // "1-10"

  Value record() const;
  std::string to_text() const;

 private:
  Evalb evalb_;
  std::array<EvalbSums, kLengths> by_length_;
};

}  // namespace trellis::grammar
