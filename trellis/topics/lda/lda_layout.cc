#include "trellis/topics/lda/lda_layout.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::topics {
namespace {

constexpr Index kMostWordsOfBlock = 65536;  // that occur: their places have 16 bits

// A visit to a document in a cell costs as much as one or two tokens, so it should serve about
// twenty. Few blocks serve few threads; more tokens allow more blocks. Small corpora have one
// block, without any delay in the counts.
Index blocks_for(Index tokens, Index documents) {
  constexpr Index kSmall = 20000, kTokensOfVisit = 20, kTokensOfBlock = 500000;
  constexpr Index kFewest = 4, kMost = 16;
  if (tokens < kSmall) return 1;
  const Index by_length = tokens / documents / kTokensOfVisit;
  return std::clamp(std::bit_floor(std::min(by_length, tokens / kTokensOfBlock)), kFewest, kMost);
}

void check_documents(const Documents& documents) {
  constexpr Index kMostTokens = std::numeric_limits<std::uint32_t>::max();
  if (documents.num_words > kMostTokens) throw UsageError("too many words for a topic model");
  for (Index d = 0; d < documents.size(); ++d) {
    if (documents.begin[d] > documents.begin[d + 1] ||
        documents.begin[d + 1] > documents.num_tokens()) {
      throw UsageError("document " + std::to_string(d) + " has an invalid range of tokens");
    }
    if (documents[d].size() > kMostTokens) throw UsageError("a document of 2^32 tokens or more");
  }
  for (const std::uint32_t word : documents.tokens) {
    if (word >= documents.num_words) {
      throw UsageError("word " + std::to_string(word) + " is not one of the vocabulary's " +
                       std::to_string(documents.num_words));
    }
  }
}

// The frequency of each word.
std::vector<std::uint32_t> frequencies(const Documents& documents) {
  std::vector<std::uint32_t> frequency(documents.num_words, 0);
  for (Index d = 0; d < documents.size(); ++d) {
    for (const std::uint32_t word : documents[d]) ++frequency[word];
  }
  return frequency;
}

}  // namespace

LdaLayout::LdaLayout(const Documents& documents, Index blocks)
    : begin_(documents.begin.begin(), documents.begin.end()) {
  check_documents(documents);
  if (blocks > kMostBlocks) {
    throw UsageError("at most " + std::to_string(kMostBlocks) + " blocks of documents and words");
  }
  if (begin_.empty()) begin_.push_back(0);
  for (std::uint64_t& begin : begin_) begin -= documents.begin.empty() ? 0 : documents.begin[0];
  const std::vector<std::uint32_t> frequency = frequencies(documents);
  const auto occurring =
      frequency.size() - static_cast<Index>(std::count(frequency.begin(), frequency.end(), 0U));
  num_blocks_ =
      blocks > 0 ? blocks : blocks_for(begin_.back(), std::max<Index>(num_documents(), 1));
  num_blocks_ = std::max(num_blocks_, (occurring + kMostWordsOfBlock - 1) / kMostWordsOfBlock);
  number_words(frequency);
  cut_documents();
  sort_tokens(documents);
}

// Words in order of decreasing frequency go to the block with the fewest tokens so far that is not
// full; words that do not occur go to the blocks in rotation.
void LdaLayout::number_words(std::span<const std::uint32_t> frequency) {
  std::vector<std::uint32_t> order(frequency.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto v, auto w) { return frequency[v] > frequency[w]; });
  using Load = std::pair<std::uint64_t, Index>;  // tokens, block
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (Index b = 0; b < num_blocks_; ++b) loads.emplace(0, b);
  std::vector<std::vector<std::uint32_t>> members(num_blocks_);
  Index unseen = 0;
  for (const std::uint32_t word : order) {
    if (frequency[word] == 0) {
      members[unseen++ % num_blocks_].push_back(word);
      continue;
    }
    const auto [tokens, block] = loads.top();
    loads.pop();
    members[block].push_back(word);
    if (members[block].size() < kMostWordsOfBlock) loads.emplace(tokens + frequency[word], block);
  }
  numbers_.resize(frequency.size());
  for (const auto& block : members) {
    first_word_.push_back(vocabulary_.size());
    for (const std::uint32_t word : block) {
      numbers_[word] = static_cast<std::uint32_t>(vocabulary_.size());
      vocabulary_.push_back(word);
      counts_.push_back(frequency[word]);
    }
  }
  first_word_.push_back(vocabulary_.size());
}

void LdaLayout::cut_documents() {
  first_document_.assign(num_blocks_ + 1, num_documents());
  for (Index b = 0; b < num_blocks_; ++b) {
    const std::uint64_t first = begin_.back() * b / num_blocks_;
    first_document_[b] = static_cast<Index>(
        std::lower_bound(begin_.begin(), begin_.end() - 1, first) - begin_.begin());
  }
  first_document_[0] = 0;
}

void LdaLayout::sort_tokens(const Documents& documents) {
  in_block_.resize(begin_.back());
  block_begin_.resize(num_documents() * num_blocks_);
  std::vector<std::uint32_t> sorted;
  for (Index d = 0; d < num_documents(); ++d) {
    const auto document = documents[d];
    sorted.resize(document.size());
    std::transform(document.begin(), document.end(), sorted.begin(),
                   [&](auto w) { return numbers_[w]; });
    std::sort(sorted.begin(), sorted.end());
    std::uint32_t i = 0;
    for (Index b = 0; b < num_blocks_; ++b) {
      block_begin_[d * num_blocks_ + b] = i;
      for (; i < sorted.size() && sorted[i] < first_word_[b + 1]; ++i) {
        in_block_[begin_[d] + i] = static_cast<std::uint16_t>(sorted[i] - first_word_[b]);
      }
    }
  }
}

void LdaLayout::places(std::span<const std::uint32_t> document,
                       std::vector<std::uint32_t>& places) const {
  std::vector<std::uint32_t> order(document.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto i, auto j) { return numbers_[document[i]] < numbers_[document[j]]; });
  places.resize(document.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) places[order[i]] = i;
}

}  // namespace trellis::topics
