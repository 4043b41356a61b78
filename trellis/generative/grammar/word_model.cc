#include "trellis/generative/grammar/word_model.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>

#include "trellis/base/text.h"

namespace trellis {
namespace {

constexpr Index kSuffixLetters[WordModel::kLevels] = {0, 3, 2, 0};

// Collects counts of tags.
class TagCounter {
 public:
  void add(std::string_view name, std::uint32_t tag) {
    const std::uint32_t number = names_.add(name);
    if (number == counts_.size()) counts_.emplace_back();
    ++counts_[number][tag];
  }
  TagCounts finish() {
    TagCounts done;
    done.names = std::move(names_);
    for (const auto& counts : counts_) {
      for (const auto& [tag, count] : counts) done.entries.push_back({tag, count});
      done.begin.push_back(done.entries.size());
    }
    return done;
  }

 private:
  NameList names_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> counts_;
};

std::span<const TagCounts::Entry> entries_of(const TagCounts& level, std::string_view name) {
  const std::uint32_t number = level.names.find(name);
  if (number == NameList::kNone) return {};
  return std::span(level.entries)
      .subspan(level.begin[number], level.begin[number + 1] - level.begin[number]);
}

Index total_of(std::span<const TagCounts::Entry> entries) {
  Index total = 0;
  for (const TagCounts::Entry& entry : entries) total += entry.count;
  return total;
}

}  // namespace

void word_class(std::string_view word, Index level, std::string& name) {
  word_shape(word, true, name);
  name += ' ';
  std::string lower;
  to_lower(utf8_suffix(word, kSuffixLetters[level]), lower);
  name += lower;
}

WordModel::WordModel(std::span<const Token> tokens, Index num_tags) : tag_counts_(num_tags, 0) {
  TagCounter words;
  for (const Token& token : tokens) {
    words.add(token.word, token.tag);
    ++tag_counts_[token.tag];
  }
  levels_.push_back(words.finish());
  std::vector<TagCounter> classes(kLevels);
  std::string name;
  for (const Token& token : tokens) {
    if (total_of(entries_of(levels_[0], token.word)) > kRare) continue;
    for (Index level = 1; level < kLevels; ++level) {
      word_class(token.word, level, name);
      classes[level].add(name, token.tag);
    }
  }
  for (Index level = 1; level < kLevels; ++level) levels_.push_back(classes[level].finish());
  finish();
}

WordModel::WordModel(std::vector<TagCounts> levels, std::vector<std::uint64_t> tag_counts)
    : levels_(std::move(levels)), tag_counts_(std::move(tag_counts)) {
  finish();
}

void WordModel::finish() {
  const auto all = static_cast<double>(
      std::accumulate(tag_counts_.begin(), tag_counts_.end(), std::uint64_t{0}));
  for (const std::uint64_t count : tag_counts_) {
    tag_shares_.push_back(static_cast<double>(count) / all);
  }
}

void WordModel::weights(std::string_view word, bool first, std::span<double> weights) const {
  std::string lower;
  if (first && !knows(word)) {
    to_lower(word, lower);
    if (knows(lower)) word = lower;
  }
  const std::span<const TagCounts::Entry> seen = entries_of(levels_[0], word);
  const auto mix_in = [&](std::span<const TagCounts::Entry> entries, double kappa) {
    const double total = static_cast<double>(total_of(entries));
    for (double& weight : weights) weight *= kappa / (total + kappa);
    for (const TagCounts::Entry& entry : entries) {
      weights[entry.tag] += entry.count / (total + kappa);
    }
  };
  const bool frequent = total_of(seen) >= kFrequent;
  std::ranges::fill(weights, 0.0);
  if (!frequent) {
    // The tag shares of all words: a single word's tags predict little about a new word.
    std::ranges::copy(tag_shares_, weights.begin());
    std::string name;
    for (Index level = kLevels; level-- > 1;) {
      word_class(word, level, name);
      mix_in(entries_of(levels_[level], name), kKappa);
    }
  }
  mix_in(seen, frequent ? 0 : kKappa);
  for (Index t = 0; t < weights.size(); ++t) {
    if (weights[t] > 0) weights[t] /= tag_shares_[t];
  }
}

}  // namespace trellis
