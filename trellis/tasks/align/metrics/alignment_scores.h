// Scores of found links A against sure links S and possible links P ⊇ S (Och & Ney 2003, section
// 6.1), counted over all sentence pairs together:
//
//   precision = |A ∩ P| / |A|      recall = |A ∩ S| / |S|      F_β = (1+β²) p r / (β² p + r)
//   AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
//
// All are fractions; text for people has percent. If the denominator is 0, precision, recall and F
// are 0, as in the official script (naacl_score.h), and AER is 0 if nothing was found and nothing
// is sure. If nothing was found and there is a sure link, the script reports AER 0, and the formula
// gives 1. Otherwise the two are equal, provided that no link is submitted both as sure and as
// possible, both files number sentences alike, and both leave out links to the empty word (or keep
// them). Precision is that of the script's PROBABLE block and recall that of its SURE block, for
// submissions without possible links.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/links/gold_links.h"

namespace trellis::align {

struct AlignmentCounts {
  Index found = 0;
  Index sure = 0;
  Index possible = 0;  // including the sure ones
  Index found_sure = 0;
  Index found_possible = 0;

  double precision() const { return share(found_possible, found); }
  double recall() const { return share(found_sure, sure); }
  double f(double beta = 1) const;
  double aer() const;

  AlignmentCounts& operator+=(const AlignmentCounts& more);
  friend bool operator==(const AlignmentCounts&, const AlignmentCounts&) = default;
};

// `found` is a set (see links.h).
AlignmentCounts count_links(std::span<const Link> found, const GoldLinks& gold);

class AlignmentScores {
 public:
  void add(std::span<const Link> found, const GoldLinks& gold);
  void append(const AlignmentScores& more);  // adds the pairs of another part of the text

  const AlignmentCounts& total() const { return total_; }
  const std::vector<AlignmentCounts>& pairs() const { return pairs_; }  // in the order of adding
  Index num_correct() const;  // pairs with all sure links and only possible ones

  // Keys aer precision recall f1 found sure possible found_sure found_possible sentences
  // correct_sentences; with `per_sentence` also per_sentence, a list of the same for each.
  Value record(bool per_sentence = false) const;
  std::string to_text(bool per_sentence = false) const;

 private:
  AlignmentCounts total_;
  std::vector<AlignmentCounts> pairs_;
};

}  // namespace trellis::align
