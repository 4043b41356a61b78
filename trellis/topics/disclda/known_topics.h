// Topics that are known: Φ as its posterior mean given words and their topics (4.6, 4.27),
//
//   φ_vk = (β + m_vk) / (V β + m_k),   m_vk: how often word v has topic k.
//
// Memory: 16 bytes for each pair of a word and a topic that it has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

class KnownTopics {
 public:
  struct Entry {
    std::uint32_t topic;
    double count;  // may be an expectation
  };

  // Counts of word v are entries[begin[v]] … [begin[v + 1] − 1]. Throws UsageError where sizes,
  // topics or values do not fit together.
  KnownTopics(Index topics, double beta, std::vector<std::uint64_t> begin,
              std::vector<Entry> entries);

  Index num_topics() const { return inverse_.size(); }
  Index num_words() const { return begin_.size() - 1; }
  double beta() const { return beta_; }
  std::span<const std::uint64_t> begin() const { return begin_; }
  std::span<const Entry> entries() const { return entries_; }

  // φ_vk for every k.
  void probabilities(Index word, std::span<double> phi) const {
    for (Index k = 0; k < inverse_.size(); ++k) phi[k] = beta_ * inverse_[k];
    for (Index e = begin_[word]; e < begin_[word + 1]; ++e) {
      phi[entries_[e].topic] = (beta_ + entries_[e].count) * inverse_[entries_[e].topic];
    }
  }

 private:
  double beta_;
  std::vector<std::uint64_t> begin_;
  std::vector<Entry> entries_;
  std::vector<double> inverse_;  // 1 / (V β + m_k)
};

}  // namespace trellis::topics
