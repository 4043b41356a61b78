// Sentence pairs as numbers of words: the training data of aligners.
//
// A pair has a source sentence e_0 … e_{I−1} and a target sentence f_0 … f_{J−1}; either may be
// empty. Memory: 4 bytes a word and 16 a pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

using WordId = std::uint32_t;
// A word that is not in the vocabulary.
inline constexpr WordId kUnknownWord = ~WordId{0};

struct WordPair {
  std::span<const WordId> source;  // e
  std::span<const WordId> target;  // f

  Index cells() const { return source.size() * target.size(); }
  WordPair swapped() const { return {target, source}; }
};

class Bitext {
 public:
  void add(std::span<const WordId> source, std::span<const WordId> target) {
    source_.insert(source_.end(), source.begin(), source.end());
    target_.insert(target_.end(), target.begin(), target.end());
    source_begin_.push_back(source_.size());
    target_begin_.push_back(target_.size());
    for (const WordId e : source) source_words_ = std::max(source_words_, Index{e} + 1);
    for (const WordId f : target) target_words_ = std::max(target_words_, Index{f} + 1);
  }

  // Extends the vocabularies to at least these sizes, even if no sentence has these words.
  void cover(Index source_words, Index target_words) {
    source_words_ = std::max(source_words_, source_words);
    target_words_ = std::max(target_words_, target_words);
  }

  Index size() const { return source_begin_.size() - 1; }
  WordPair operator[](Index k) const {
    return {sentence(source_, source_begin_, k), sentence(target_, target_begin_, k)};
  }
  // The sizes of the vocabularies: every word is below its size.
  Index source_words() const { return source_words_; }
  Index target_words() const { return target_words_; }
  // All words of a side, and the beginnings of sentences.
  std::span<const WordId> source_tokens() const { return source_; }
  std::span<const WordId> target_tokens() const { return target_; }
  Index target_begin(Index k) const { return target_begin_[k]; }

 private:
  static std::span<const WordId> sentence(const std::vector<WordId>& words,
                                          const std::vector<Index>& begin, Index k) {
    return std::span(words).subspan(begin[k], begin[k + 1] - begin[k]);
  }

  std::vector<WordId> source_, target_;
  std::vector<Index> source_begin_ = {0}, target_begin_ = {0};
  Index source_words_ = 0, target_words_ = 0;
};

}  // namespace trellis
