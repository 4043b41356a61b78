// Several looks of one generative model at a sentence pair. An aligner with fertilities knows most,
// and its posteriors are drawn; the same lexicon with its jumps alone has exact ones; without any
// model of positions it says what the words by themselves say. Where they agree a link is safe.
//
//   posterior   the aligner as it is
//   jumps       without fertilities, where it has them
//   uniform     any position as likely as another, where it has others (Model 1)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/word_aligner.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

// A number for each source word and target word of a pair, by source word.
template <class Number>
class Grid {
 public:
  void assign(Index num_source, Index num_target, Number value) {
    num_target_ = num_target;
    cells_.assign(num_source * num_target, value);
  }
  Number& operator()(Index i, Index j) { return cells_[i * num_target_ + j]; }
  const Number& operator()(Index i, Index j) const { return cells_[i * num_target_ + j]; }

 private:
  Index num_target_ = 0;
  std::vector<Number> cells_;
};

// What one view says of a pair.
struct ViewEvidence {
  // Which of the best alignments have a link: bits.
  static constexpr std::uint8_t kForward = 1, kReverse = 2, kBoth = kForward | kReverse;
  static constexpr std::uint8_t kGrown = 4;  // grow-diag-final-and of the two

  Grid<float> forward, reverse;  // posteriors
  Grid<std::uint8_t> best;
  std::vector<float> source_alone, target_alone;  // posteriors that a word has no link
  // The largest product of a word's links.
  std::vector<float> source_product, target_product;

  float product(Index i, Index j) const { return forward(i, j) * reverse(i, j); }
};

class GenerativeViews {
 public:
  struct Scratch {
    WordAligner::Scratch aligner;
    std::vector<Label> a, b;
    Links forward, reverse;
  };

  explicit GenerativeViews(std::shared_ptr<const AlignModel> model);

  const std::vector<std::string>& names() const { return names_; }
  // One for each name. Where a side has no word nobody has a link.
  void look(WordPair pair, Scratch& scratch, std::vector<ViewEvidence>& views) const;

 private:
  void look(const WordAligner& aligner, WordPair pair, Scratch& scratch, ViewEvidence& view) const;

  std::shared_ptr<const AlignModel> model_;
  std::vector<std::string> names_;
  std::vector<WordAligner> aligners_;
};

}  // namespace trellis::align
