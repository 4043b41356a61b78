// Several views of a sentence pair by one generative model. An aligner with fertilities has the
// most information, but draws its posteriors; the same lexicon with jumps alone has exact
// posteriors; without a model of positions only the words count. A link on which all agree is safe.
//
//   posterior   the aligner itself
//   jumps       without fertilities, if the aligner has fertilities
//   uniform     all positions equally probable (Model 1), if the aligner has a model of positions
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

// A number for each pair of a source word and a target word, by source word.
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

// The evidence of one view about a pair.
struct ViewEvidence {
  // Bits: which of the best alignments have a link.
  static constexpr std::uint8_t kForward = 1, kReverse = 2, kBoth = kForward | kReverse;
  static constexpr std::uint8_t kGrown = 4;  // grow-diag-final-and of the two

  Grid<float> forward, reverse;  // posteriors
  Grid<std::uint8_t> best;
  std::vector<float> source_alone, target_alone;  // posteriors of no link
  // The largest product of each word's links.
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
  // Computes one for each name. If a side has no words, there are no links.
  void look(WordPair pair, Scratch& scratch, std::vector<ViewEvidence>& views) const;

 private:
  void look(const WordAligner& aligner, WordPair pair, Scratch& scratch, ViewEvidence& view) const;

  std::shared_ptr<const AlignModel> model_;
  std::vector<std::string> names_;
  std::vector<WordAligner> aligners_;
};

}  // namespace trellis::align
