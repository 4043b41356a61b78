#include "trellis/topics/disclda/known_topics.h"

#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/topics/disclda/transformation.h"

namespace trellis::topics {

KnownTopics::KnownTopics(Index topics, double beta, std::vector<std::uint64_t> begin,
                         std::vector<Entry> entries)
    : beta_(beta), begin_(std::move(begin)), entries_(std::move(entries)) {
  if (topics < 1 || topics > Transformation::kMostTopics)
    throw UsageError("the number of topics is missing");
  if (!std::isfinite(beta) || beta <= 0) throw UsageError("beta must be above 0 and finite");
  if (begin_.size() < 2 || begin_.front() != 0 || begin_.back() != entries_.size()) {
    throw UsageError("counts of words and topics that are not cut into words");
  }
  inverse_.assign(topics, 0.0);
  for (Index v = 0; v < num_words(); ++v) {
    if (begin_[v] > begin_[v + 1] || begin_[v + 1] > entries_.size()) {
      throw UsageError("counts of words and topics that are not cut into words");
    }
    for (Index e = begin_[v]; e < begin_[v + 1]; ++e) {
      const Entry& entry = entries_[e];
      if (entry.topic >= topics || (e > begin_[v] && entries_[e - 1].topic >= entry.topic)) {
        throw UsageError("the topics of a word must exist and be in ascending order");
      }
      if (!std::isfinite(entry.count) || entry.count < 0) {
        throw UsageError("counts of words and topics are at least 0 and finite");
      }
      inverse_[entry.topic] += entry.count;
    }
  }
  const double beta_sum = beta * static_cast<double>(num_words());
  for (double& total : inverse_) total = 1 / (beta_sum + total);
}

}  // namespace trellis::topics
