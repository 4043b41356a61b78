#include "trellis/topics/lda/word_topics.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace trellis::topics {
namespace {

RowForm form_for(Index count, Index dense_from) {
  if (count < dense_from && count <= 0xFFFF) return RowForm::kList;
  if (count <= 0xFF) return RowForm::kBytes;
  return count <= 0xFFFF ? RowForm::kShorts : RowForm::kWords;
}

Index bytes_for(RowForm form, Index count, Index topics) {
  const Index padded = (topics + WordTopics::kLanes - 1) / WordTopics::kLanes * WordTopics::kLanes;
  switch (form) {
    case RowForm::kBytes:
      return padded;
    case RowForm::kShorts:
      return 2 * padded;
    case RowForm::kWords:
      return 4 * padded;
    case RowForm::kList:
      return 4 * (1 + (std::min(count, topics) + 7) / 8 * 8);
  }
  return 0;
}

}  // namespace

// Counts, eight at a time, instead of a search: lists are short, and branches of a search are
// guessed wrong.
std::uint32_t TopicList::find(std::uint32_t topic) const {
  const std::uint32_t limit = entry(topic, 0);
  std::uint32_t below = 0;
  for (std::uint32_t first = 0; first < padded_size(); first += 8) {
    for (std::uint32_t i = first; i < first + 8; ++i) below += entries_[i] < limit ? 1 : 0;
  }
  return topic > 0 ? below - (padded_size() - size()) : 0;
}

void TopicList::add(std::uint32_t topic) {
  const std::uint32_t i = find(topic);
  if (i < size() && TopicList::topic(entries_[i]) == topic) return add_at(i);
  std::memmove(entries_ + i + 1, entries_ + i, (size() - i) * sizeof(std::uint32_t));
  entries_[i] = entry(topic, 1);
  ++*size_;
}

void TopicList::remove(std::uint32_t topic) {
  const std::uint32_t i = find(topic);
  assert(i < size() && TopicList::topic(entries_[i]) == topic);
  if (count(--entries_[i]) > 0) return;
  --*size_;
  std::memmove(entries_ + i, entries_ + i + 1, (size() - i) * sizeof(std::uint32_t));
  entries_[size()] = 0;
}

WordTopics::WordTopics(std::span<const std::uint32_t> counts, Index topics, Index dense_from)
    : num_topics_(topics),
      places_(counts.size()),
      num_bytes_([&] {
        Index offset = 0;
        for (Index w = 0; w < counts.size(); ++w) {
          const RowForm form = form_for(counts[w], dense_from);
          places_[w] = offset << 2 | static_cast<std::uint64_t>(form);
          offset += (bytes_for(form, counts[w], topics) + 7) / 8;
        }
        return offset * 8;
      }()),
      rows_(std::make_unique<HugePages>(std::max<Index>(num_bytes_, 8))),
      first_(rows_->as<std::uint8_t>()) {}

void WordTopics::add(Index w, Index k) {
  switch (form(w)) {
    case RowForm::kBytes:
      ++row<std::uint8_t>(w)[k];
      break;
    case RowForm::kShorts:
      ++row<std::uint16_t>(w)[k];
      break;
    case RowForm::kWords:
      ++row<std::uint32_t>(w)[k];
      break;
    case RowForm::kList:
      list(w).add(static_cast<std::uint32_t>(k));
      break;
  }
}

void WordTopics::remove(Index w, Index k) {
  switch (form(w)) {
    case RowForm::kBytes:
      --row<std::uint8_t>(w)[k];
      break;
    case RowForm::kShorts:
      --row<std::uint16_t>(w)[k];
      break;
    case RowForm::kWords:
      --row<std::uint32_t>(w)[k];
      break;
    case RowForm::kList:
      list(w).remove(static_cast<std::uint32_t>(k));
      break;
  }
}

std::uint32_t WordTopics::count(Index w, Index k) const {
  switch (form(w)) {
    case RowForm::kBytes:
      return row<std::uint8_t>(w)[k];
    case RowForm::kShorts:
      return row<std::uint16_t>(w)[k];
    case RowForm::kWords:
      return row<std::uint32_t>(w)[k];
    case RowForm::kList:
      break;
  }
  const std::uint32_t* entries = row<std::uint32_t>(w);
  const std::uint32_t* last = entries + 1 + entries[0];
  const auto first_entry = TopicList::entry(static_cast<std::uint32_t>(k), 0);
  const std::uint32_t* found = std::lower_bound(entries + 1, last, first_entry);
  return found != last && TopicList::topic(*found) == k ? TopicList::count(*found) : 0;
}

void WordTopics::clear() {
  std::memset(first_, 0, num_bytes_);
}

}  // namespace trellis::topics
