#include "trellis/topics/lda/lda_model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {

LdaModel::LdaModel(std::vector<double> alpha, std::vector<double> beta,
                   std::vector<std::uint64_t> begin, std::vector<Entry> entries, PriorRows rows,
                   WordParts parts)
    : alpha_(std::move(alpha)),
      prior_(alpha_.size(), std::move(beta), std::move(rows), std::move(parts)),
      begin_(std::move(begin)),
      entries_(std::move(entries)) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (alpha_.empty() || !std::all_of(alpha_.begin(), alpha_.end(), positive)) {
    throw UsageError("a topic model requires priors that are finite and above 0");
  }
  if (begin_.size() != num_words() + 1 || begin_.front() != 0 || begin_.back() != entries_.size() ||
      !std::is_sorted(begin_.begin(), begin_.end())) {
    throw UsageError("the counts of a topic model have invalid ranges");
  }
  for (const Entry& entry : entries_) {
    if (entry.topic >= alpha_.size() || !std::isfinite(entry.count) || entry.count < 0) {
      throw UsageError("a count in the topic model is not a valid number");
    }
  }
  prepare();
}

LdaModel::LdaModel(const LdaChain& chain)
    : alpha_(chain.alpha().begin(), chain.alpha().end()), prior_(chain.prior()), begin_{0} {
  for (Index w = 0; w < chain.num_words(); ++w) {
    chain.for_each_topic_of_word(w, [&](Index k, std::uint32_t count) {
      entries_.push_back({static_cast<std::uint32_t>(k), static_cast<double>(count)});
    });
    begin_.push_back(entries_.size());
  }
  prepare();
}

void LdaModel::prepare() {
  alpha_sum_ = sum(alpha_);
  totals_.assign(num_topics(), 0);
  for (const Entry& entry : entries_) totals_[entry.topic] += entry.count;
  inverse_.assign(prior_.sums().size(), 0);
  part_shares_.assign(prior_.parts().count, 1);
  if (prior_.parts().count > 1) {
    for (Index w = 0; w < num_words(); ++w) {
      const Index first = prior_.parts()[w] * num_topics();
      for (const Entry& entry : entries(w)) inverse_[first + entry.topic] += entry.count;
    }
    const double all = std::max(sum(totals_), 1.0);
    for (Index c = 0; c < part_shares_.size(); ++c) {
      part_shares_[c] = sum(inverse(c)) / all;
    }
  } else {
    inverse_ = totals_;
  }
  for (Index x = 0; x < inverse_.size(); ++x) inverse_[x] = 1 / (inverse_[x] + prior_.sums()[x]);
}

double LdaModel::count(Index word, Index topic) const {
  double count = 0;
  for (const Entry& entry : entries(word)) count += entry.topic == topic ? entry.count : 0;
  return count;
}

void LdaModel::word_probabilities(Index word, std::span<double> phi) const {
  const double beta = prior_.beta()[word];
  const auto row = prior_.row(word);
  const auto inverses = inverse(prior_.parts()[word]);
  for (Index k = 0; k < num_topics(); ++k) phi[k] = (row.empty() ? beta : row[k]) * inverses[k];
  for (const Entry& entry : entries(word)) {
    const double own = row.empty() ? beta : row[entry.topic];
    phi[entry.topic] = (entry.count + own) * inverses[entry.topic];
  }
}

KnownDocument::KnownDocument(const LdaModel& model, std::span<const std::uint32_t> document)
    : model_(&model) {
  std::vector<std::uint32_t> words(document.begin(), document.end());
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  if (!words.empty() && words.back() >= model.num_words()) {
    throw UsageError("word " + std::to_string(words.back()) + " is not one of the model's " +
                     std::to_string(model.num_words()));
  }
  phi_.resize(words.size() * model.num_topics());
  for (Index i = 0; i < words.size(); ++i) {
    model.word_probabilities(words[i],
                             std::span(phi_).subspan(i * model.num_topics(), model.num_topics()));
  }
  rows_.reserve(document.size());
  for (const std::uint32_t word : document) {
    rows_.push_back(
        static_cast<Index>(std::lower_bound(words.begin(), words.end(), word) - words.begin()));
  }
}

}  // namespace trellis::topics
