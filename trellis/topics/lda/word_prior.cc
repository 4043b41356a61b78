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

WordPrior::WordPrior(Index topics, std::vector<double> beta, PriorRows rows, WordParts parts)
    : num_topics_(topics),
      beta_(std::move(beta)),
      rows_(std::move(rows)),
      parts_(std::move(parts)) {
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
  check_parts();
  add_up();
}

void WordPrior::check_parts() const {
  const auto& of_words = parts_.of_words;
  const auto none = [&](std::uint8_t part) { return part >= parts_.count; };
  if (parts_.count < 1 || (of_words.empty() ? parts_.count > 1 : of_words.size() != beta_.size()) ||
      std::any_of(of_words.begin(), of_words.end(), none)) {
    throw UsageError("each word must be of a part of the vocabulary");
  }
}

void WordPrior::add_up() {
  const auto& words = rows_.words;
  if (words.empty() && parts_.count == 1) {
    sums_.assign(num_topics_, sum(beta_));
    return;
  }
  row_of_.assign(beta_.size(), kNone);
  for (Index i = 0; i < words.size(); ++i) row_of_[words[i]] = static_cast<std::uint32_t>(i);
  std::vector<double> others(parts_.count, 0);
  for (Index w = 0; w < beta_.size(); ++w) others[parts_[w]] += row_of_[w] == kNone ? beta_[w] : 0;
  for (const double part : others) sums_.insert(sums_.end(), num_topics_, part);
  for (Index i = 0; i < words.size(); ++i) {
    axpy(1, rows_.row(i, num_topics_),
         std::span(sums_).subspan(parts_[words[i]] * num_topics_, num_topics_));
  }
}

NumberedPrior::NumberedPrior(const WordPrior& prior, std::span<const std::uint32_t> vocabulary)
    : beta_(vocabulary.size()), num_parts_(prior.parts().count) {
  for (Index n = 0; n < vocabulary.size(); ++n) {
    beta_[n] = static_cast<float>(prior.beta()[vocabulary[n]]);
    if (num_parts_ > 1) {
      parts_.push_back(static_cast<std::uint8_t>(prior.parts()[vocabulary[n]]));
    }
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
