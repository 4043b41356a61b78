// Known topics: the part of a chain that is needed for the inference of other documents.
//
//   φ_wk = (n_wk + β_kw) / (n_k + β̄_k),
//
// the mean of φ given words and topics of the training text; if the vocabulary has parts, n_k and
// β̄_k are those of the word's part.
//
// Memory: 16 bytes for each pair of a word and one of its topics; 8 K for a word with a prior for
// each topic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/word_prior.h"

namespace trellis::topics {

class LdaChain;

class LdaModel {
 public:
  // Counts of word w are entries[begin[w]] … [begin[w + 1] − 1]; they may be expected counts.
  struct Entry {
    std::uint32_t topic;
    double count;
  };

  // begin has one entry more than there are words; beta has one per word; rows belong to words with
  // a prior for each topic. Throws UsageError if sizes, topics or values do not match.
  LdaModel(std::vector<double> alpha, std::vector<double> beta, std::vector<std::uint64_t> begin,
           std::vector<Entry> entries, PriorRows rows = {}, WordParts parts = {});
  explicit LdaModel(const LdaChain& chain);

  Index num_topics() const { return alpha_.size(); }
  Index num_words() const { return prior_.num_words(); }
  std::span<const double> alpha() const { return alpha_; }
  double alpha_sum() const { return alpha_sum_; }
  const WordPrior& prior() const { return prior_; }
  std::span<const double> beta() const { return prior_.beta(); }
  std::span<const double> totals() const { return totals_; }  // n_k, of all parts together
  // 1 / (n_k + β̄_k) in a part of the vocabulary.
  std::span<const double> inverse(Index part) const {
    return std::span(inverse_).subspan(part * num_topics(), num_topics());
  }
  // The share of each part in the tokens; the sum is 1.
  std::span<const double> part_shares() const { return part_shares_; }
  std::span<const Entry> entries(Index word) const {
    return std::span(entries_).subspan(begin_[word], begin_[word + 1] - begin_[word]);
  }

  double count(Index word, Index topic) const;  // n_wk

  // φ_wk for every k.
  void word_probabilities(Index word, std::span<double> phi) const;

 private:
  void prepare();

  std::vector<double> alpha_;
  WordPrior prior_;
  std::vector<std::uint64_t> begin_;
  std::vector<Entry> entries_;
  std::vector<double> totals_, inverse_, part_shares_;
  double alpha_sum_ = 0;
};

// A document with one lookup of φ per distinct word: its distinct words, and a row of φ for each.
class KnownDocument {
 public:
  // Throws UsageError if a token is not a word of the model.
  KnownDocument(const LdaModel& model, std::span<const std::uint32_t> document);

  const LdaModel& model() const { return *model_; }
  Index size() const { return rows_.size(); }
  // φ_wk of the i-th token's word, for every k.
  std::span<const double> probabilities(Index i) const {
    return std::span(phi_).subspan(rows_[i] * model_->num_topics(), model_->num_topics());
  }

 private:
  const LdaModel* model_;
  std::vector<Index> rows_;
  std::vector<double> phi_;
};

}  // namespace trellis::topics
