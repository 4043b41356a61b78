#include "trellis/topics/lda/word_prior.h"

#include <algorithm>
#include <new>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

bool all_usable(std::span<const double> priors) {
  return std::all_of(priors.begin(), priors.end(),
                     [](double p) { return p >= kLeastPrior && p <= kLargestPrior; });
}

}  // namespace

WordPrior::WordPrior(Index topics, std::vector<double> beta, PriorRows rows)
    : num_topics_(topics), beta_(std::move(beta)), rows_(std::move(rows)) {
  if (!all_usable(beta_)) throw UsageError("beta must have a finite value above 0 for each word");
  const auto& words = rows_.words;
  if (rows_.beta.size() != words.size() * topics || !all_usable(rows_.beta)) {
    throw UsageError("a word's beta must have a finite value above 0 for each topic");
  }
  if (!words.empty() &&
      (words.back() >= beta_.size() || !std::is_sorted(words.begin(), words.end()) ||
       std::adjacent_find(words.begin(), words.end()) != words.end())) {
    throw UsageError("words with a beta for each topic must be words, and each once");
  }
  if (words.empty()) {
    sums_.assign(topics, sum(beta_));
    return;
  }
  row_of_.assign(beta_.size(), kNone);
  for (Index i = 0; i < words.size(); ++i) row_of_[words[i]] = static_cast<std::uint32_t>(i);
  double others = 0;
  for (Index w = 0; w < beta_.size(); ++w) others += row_of_[w] == kNone ? beta_[w] : 0;
  sums_.assign(topics, others);
  for (Index i = 0; i < words.size(); ++i) axpy(1, rows_.row(i, topics), sums_);
}

NumberedPrior::NumberedPrior(const WordPrior& prior, std::span<const std::uint32_t> vocabulary)
    : beta_(vocabulary.size()) {
  for (Index n = 0; n < vocabulary.size(); ++n) {
    beta_[n] = static_cast<float>(prior.beta()[vocabulary[n]]);
  }
  if (!prior.has_rows()) return;
  const Index lanes = WordTopics::kLanes;
  padded_ = (prior.num_topics() + lanes - 1) / lanes * lanes;
  rows_ = hwy::AllocateAligned<float>(prior.rows().size() * padded_);
  if (!rows_) throw std::bad_alloc();
  std::fill_n(rows_.get(), prior.rows().size() * padded_, 0.0F);
  places_.assign(vocabulary.size(), 0);
  std::uint32_t place = 0;
  for (Index n = 0; n < vocabulary.size(); ++n) {
    const auto row = prior.row(vocabulary[n]);
    if (row.empty()) continue;
    float* values = rows_.get() + Index{place} * padded_;
    for (Index k = 0; k < row.size(); ++k) values[k] = static_cast<float>(row[k]);
    places_[n] = ++place;
  }
}

}  // namespace trellis::topics
