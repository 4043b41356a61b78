// The order in which the tokens of a corpus are visited, and who may visit them at the same time.
//
// Documents and words are cut into P blocks each; a cell is the tokens of one block of documents
// whose words are of one block of words. In round r the P cells (i, (i + r) mod P) share neither a
// document nor a word, so they may be sampled side by side with no copy of any count and no
// conflict but over the totals of the topics (Yan, Xu & Qi 2009). P rounds are a sweep. P is a
// function of the corpus alone, never of the number of threads; and a cell's words fit a cache
// P times smaller.
//
// Words are renumbered: block by block, and by falling frequency in each. A document's tokens are
// sorted by these numbers, so that those of a cell stand together. A block has at most 2^16 words
// that occur, and a token is known by its word's place in the block: 2 bytes a token, 4 P a
// document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

class LdaLayout {
 public:
  static constexpr Index kMostBlocks = 64;

  // blocks = 0: as many as the lengths of the documents allow. The words may require more than
  // given. Throws UsageError if a token is not a word of the vocabulary.
  LdaLayout(const Documents& documents, Index blocks);

  Index num_blocks() const { return num_blocks_; }
  Index num_documents() const { return begin_.size() - 1; }
  Index num_words() const { return counts_.size(); }
  Index num_tokens() const { return in_block_.size(); }

  // Tokens of document d, as positions; and of those the ones of word block b.
  Index begin(Index d) const { return begin_[d]; }
  Index end(Index d) const { return begin_[d + 1]; }
  Index begin(Index d, Index b) const { return begin_[d] + block_begin_[d * num_blocks_ + b]; }
  Index end(Index d, Index b) const { return b + 1 == num_blocks_ ? end(d) : begin(d, b + 1); }

  // By position: the word's number here, minus the first of its block; and the number itself, of a
  // token of word block b.
  std::span<const std::uint16_t> in_block() const { return in_block_; }
  Index word(Index position, Index b) const { return first_word_[b] + in_block_[position]; }
  // By number: how often the word occurs, and which word of the vocabulary it is.
  std::span<const std::uint32_t> counts() const { return counts_; }
  std::span<const std::uint32_t> vocabulary() const { return vocabulary_; }
  // By word of the vocabulary: its number here.
  std::span<const std::uint32_t> numbers() const { return numbers_; }

  Index first_document(Index block) const { return first_document_[block]; }
  Index first_word(Index block) const { return first_word_[block]; }

  // Where the tokens of document d stand, in the order that `document` (as given to the
  // constructor) has them: position begin(d) + places[i] is its i-th token.
  void places(std::span<const std::uint32_t> document, std::vector<std::uint32_t>& places) const;

 private:
  void number_words(std::span<const std::uint32_t> frequency);
  void cut_documents();
  void sort_tokens(const Documents& documents);

  Index num_blocks_ = 1;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> block_begin_;  // of word block b in document d, from its begin
  std::vector<std::uint16_t> in_block_;
  std::vector<std::uint32_t> counts_, vocabulary_, numbers_;
  std::vector<Index> first_document_, first_word_;
};

}  // namespace trellis::topics
