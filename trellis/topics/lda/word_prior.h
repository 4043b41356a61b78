// The prior of words in topics: one value for a word, β_w, or one for each topic, β_kw.
//
// Standard LDA has the former for every word. Words with known features or links in word-feature
// LDA (wordlda/) have the latter.
//
// The vocabulary may have parts, such as languages: then a topic has a distribution over the words
// of each part, φ_k^c ~ Dir(β_k^c), instead of one over all words, and the model does not generate
// the part of a token. (Mimno, Wallach, Naradowsky, Smith & McCallum 2009 do so for languages.)
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

// The range of a prior: products with counts are finite and positive, in floats too.
inline constexpr double kLeastPrior = 1e-12, kLargestPrior = 1e12;

struct WordParts {
  Index count = 1;
  std::vector<std::uint8_t> of_words;  // by word, below `count`; empty: all are of part 0

  Index operator[](Index word) const { return of_words.empty() ? 0 : of_words[word]; }
};

// Words with a prior for each topic.
struct PriorRows {
  std::vector<std::uint32_t> words;  // rising
  std::vector<double> beta;          // K for each of them

  Index size() const { return words.size(); }
  std::span<const double> row(Index i, Index topics) const {
    return std::span(beta).subspan(i * topics, topics);
  }
};

class WordPrior {
 public:
  WordPrior() = default;
  // beta: for every word, including those with rows, whose beta is the base of the row. Throws
  // UsageError for an invalid value, a row of an unknown word, or an invalid part.
  WordPrior(Index topics, std::vector<double> beta, PriorRows rows = {}, WordParts parts = {});

  Index num_topics() const { return num_topics_; }
  Index num_words() const { return beta_.size(); }
  std::span<const double> beta() const { return beta_; }
  const PriorRows& rows() const { return rows_; }
  bool has_rows() const { return rows_.size() > 0; }
  // β_kw for every k; empty if all topics share β_w.
  std::span<const double> row(Index word) const {
    if (row_of_.empty() || row_of_[word] == kNone) return {};
    return rows_.row(row_of_[word], num_topics_);
  }
  double at(Index k, Index word) const {
    const auto of_word = row(word);
    return of_word.empty() ? beta_[word] : of_word[k];
  }
  const WordParts& parts() const { return parts_; }
  // β̄_k^c = Σ_w β_kw over the words of part c: K for each part.
  std::span<const double> sums() const { return sums_; }
  std::span<const double> sums(Index part) const {
    return std::span(sums_).subspan(part * num_topics_, num_topics_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  void check_parts() const;
  void add_up();

  Index num_topics_ = 0;
  std::vector<double> beta_;
  PriorRows rows_;
  std::vector<std::uint32_t> row_of_;  // by word
  WordParts parts_;
  std::vector<double> sums_;
};

// The same for the samplers: floats, by the words' numbers in a layout; rows end with zeros up to a
// multiple of eight topics.
class NumberedPrior {
 public:
  NumberedPrior() = default;
  // vocabulary[number] is the word.
  NumberedPrior(const WordPrior& prior, std::span<const std::uint32_t> vocabulary);

  float beta(Index number) const { return beta_[number]; }
  Index num_parts() const { return num_parts_; }
  Index part(Index number) const { return parts_.empty() ? 0 : parts_[number]; }
  bool has_rows() const { return !places_.empty(); }
  // Null if the word has no row.
  const float* row(Index number) const {
    if (places_.empty() || places_[number] == 0) return nullptr;
    return rows_.get() + Index{places_[number] - 1} * padded_;
  }
  // Requires has_rows().
  void prefetch(Index number) const {
    const float* first = row(number);
    if (first == nullptr) return;
    for (Index k = 0; k < padded_ && k < kPrefetched; k += 16) __builtin_prefetch(first + k);
  }

 private:
  static constexpr Index kPrefetched = 256;  // floats: longer rows the processor foresees by itself

  std::vector<float> beta_;
  Index num_parts_ = 1;
  std::vector<std::uint8_t> parts_;    // by number; empty: one part
  std::vector<std::uint32_t> places_;  // by number: 0, or which row, from 1
  Index padded_ = 0;
  hwy::AlignedFreeUniquePtr<float[]> rows_;
};

}  // namespace trellis::topics
