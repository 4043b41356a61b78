// Scores of a parser's trees (scorers/attachment_counts.h) over the sentences of a treebank, with
// and without punctuation, as the task prints them.
#pragma once

#include <array>
#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/scorers/attachment_counts.h"

namespace trellis::parse {

class AttachmentScores {
 public:
  // Both have the same words, and every word has a head.
  void add(const Sentence& gold, const Sentence& system);
  AttachmentScores& operator+=(const AttachmentScores& other);

  const AttachmentTally& tally(Punctuation punctuation) const {
    return tallies_[static_cast<Index>(punctuation)];
  }
  const AttachmentCounts& counts(Punctuation punctuation) const { return tally(punctuation).total; }
  Index num_sentences() const { return num_sentences_; }
  // Sentences in which every word, including punctuation, has the right head; and also the right
  // label.
  Index num_right_trees() const { return right_trees_; }
  Index num_right_labelled_trees() const { return right_labelled_trees_; }

  // Scores in percent with and without punctuation, and tables by label and distance.
  Value record() const;
  std::string to_text() const;

  bool operator==(const AttachmentScores&) const = default;

 private:
  std::array<AttachmentTally, 2> tallies_;  // by Punctuation
  Index num_sentences_ = 0;
  Index right_trees_ = 0;
  Index right_labelled_trees_ = 0;
};

}  // namespace trellis::parse
