#include "trellis/formats/links/link_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

constexpr std::uint32_t kLargestNumber = (std::uint32_t{1} << 31) - 1;

GoldLinks gold_of(std::vector<MarkedLink> marked) {
  std::stable_sort(marked.begin(), marked.end(),
                   [](const MarkedLink& a, const MarkedLink& b) { return a.link < b.link; });
  GoldLinks gold;
  bool told = false;
  for (const MarkedLink& m : marked) {
    const double probability = m.probability.value_or(1);
    told = told || m.probability.has_value();
    if (gold.possible.empty() || gold.possible.back() != m.link) {
      gold.possible.push_back(m.link);
      gold.probabilities.push_back(probability);
    } else {
      gold.probabilities.back() = std::max(gold.probabilities.back(), probability);
    }
    if (m.sure && (gold.sure.empty() || gold.sure.back() != m.link)) gold.sure.push_back(m.link);
  }
  if (!told) gold.probabilities.clear();
  return gold;
}

}  // namespace

std::optional<std::uint32_t> parse_number(std::string_view text) {
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number > kLargestNumber) return std::nullopt;
  return number;
}

void LinkCollector::refuse(Index line, const std::string& message, std::string_view token) const {
  throw InputError(file_, line, message, token);
}

Index LinkCollector::begin_pair(Index line) {
  if (!lengths_.empty() && pairs_.size() == lengths_.size()) {
    refuse(line, fmt::format("expected links of {} sentence pairs, found more", lengths_.size()));
  }
  pairs_.emplace_back();
  return pairs_.size() - 1;
}

Index LinkCollector::find_pair(std::string_view number, Index line) {
  const Index most = lengths_.empty() ? kMaxUnknownSentences : lengths_.size();
  const auto pair = parse_number(number);
  if (!pair || *pair == 0 || *pair > most) {
    refuse(line, fmt::format("expected a sentence from 1 to {}, found", most), number);
  }
  if (pairs_.size() < *pair) pairs_.resize(*pair);
  return *pair - 1;
}

void LinkCollector::check_lengths(Index pair, PairLengths lengths, Index line) const {
  if (lengths_.empty()) return;
  if (options_.swap) std::swap(lengths.source, lengths.target);
  const PairLengths& known = lengths_[pair];
  if (lengths.source == known.source && lengths.target == known.target) return;
  refuse(line, fmt::format("expected {} source and {} target words as in the text, found {} and {}",
                           known.source, known.target, lengths.source, lengths.target));
}

void LinkCollector::check_word(std::uint32_t word, Index length, std::string_view side,
                               const LinkPlace& place) const {
  if (word == kNullWord || word < length) return;
  if (length == 0) {
    refuse(place.line, fmt::format("expected no link, since the {} sentence is empty, found", side),
           place.text);
  }
  refuse(place.line,
         fmt::format("expected a {} word from {} to {}, since the sentence has {} words, found",
                     side, place.first_word, place.first_word + length - 1, length),
         place.text);
}

void LinkCollector::add(Index pair, MarkedLink marked, const LinkPlace& place) {
  if (options_.swap) marked.link = swapped(marked.link);
  const Link link = marked.link;
  if (!lengths_.empty()) {
    check_word(link.source, lengths_[pair].source, "source", place);
    check_word(link.target, lengths_[pair].target, "target", place);
  }
  if (link.source != kNullWord && link.target != kNullWord) pairs_[pair].push_back(marked);
}

std::vector<GoldLinks> LinkCollector::finish(bool complete, Index last) {
  if (complete && !lengths_.empty() && pairs_.size() < lengths_.size()) {
    refuse(last, fmt::format("expected links of {} sentence pairs, found only {}", lengths_.size(),
                             pairs_.size()));
  }
  pairs_.resize(std::max(pairs_.size(), lengths_.size()));
  std::vector<GoldLinks> gold;
  gold.reserve(pairs_.size());
  for (std::vector<MarkedLink>& pair : pairs_) gold.push_back(gold_of(std::move(pair)));
  return gold;
}

}  // namespace trellis::align
