// Collapsed Gibbs sampling of the tokens of one cell (Griffiths & Steyvers 2004): each token's
// topic is drawn from its exact conditional, given all the others,
//
//   p(z_i = k | z_¬i, w) ∝ (n_dk + α_k) (n_wk + β_kw) / (n_k + β̄_k) = c_k (n_wk + β_kw),
//
// with the counts of all tokens but i, and c_k stored for the current document; β_kw = β_w for most
// words, and for all in standard LDA (word_prior.h). If the vocabulary has parts, n_k and β̄_k are
// those of the word's part, and there is a c_k for each part. Two ways to draw from it, by the form
// of the word's row:
//
// * dense rows: all K weights, eight at a time, with running sums in eight lanes; the draw picks a
//   lane and then finds its place by bisection. K/8 steps of vector arithmetic.
// * lists: two buckets (as Yao, Mimno & McCallum 2009 have three),
//     Σ_k c_k (n_wk + β_kw) = Σ_{k in the list} n_wk c_k + Σ_k β_kw c_k,
//   of which the latter is seldom drawn from. If β_kw = β_w it is kept up to date as β_w Σ_k c_k,
//   and the time is that of the list; otherwise it is a product of two vectors. (Petterson 2011,
//   sec. 6.7, has it in two parts, by α and by the document; a product of vectors takes less than
//   their upkeep.)
//
// The totals n_k are those of the beginning of the round, plus the cell's own changes.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"
#include "trellis/topics/lda/cell_random.h"
#include "trellis/topics/lda/cell_scratch.h"
#include "trellis/topics/lda/document_topics.h"
#include "trellis/topics/lda/lda_layout.h"
#include "trellis/topics/lda/word_prior.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {

inline constexpr std::uint16_t kNoTopic = 0xFFFF;

// A cell, and what is sampled in it.
struct Cell {
  const LdaLayout* layout;
  Index document_block, word_block;
  const NumberedPrior* prior;
  std::span<const std::uint8_t> present;  // by document: whether it takes part; empty: all do
  WordTopics* word_topics;
  DocumentTopics* document_topics;
  std::span<std::uint16_t> assignments;  // by position
  CellStream stream;

  bool has(Index d) const { return present.empty() || present[d] != 0; }
};

// Draws each token of the cell. Tokens without a topic (kNoTopic) are given one, as the counts so
// far have it: so a chain begins.
void sample_cell(const Cell& cell, CellScratch& scratch);

}  // namespace trellis::topics
