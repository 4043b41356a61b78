// Evaluates the expressions of a template on a sentence.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/columns/sentence.h"
#include "trellis/tasks/tag/templates/template_program.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {

// The hashes of all values: one row of slots per token.
class TemplateValues {
 public:
  void resize(Index num_tokens, Index num_slots) {
    num_tokens_ = num_tokens;
    num_slots_ = num_slots;
    values_.resize(num_tokens * num_slots);
  }
  Index num_tokens() const { return num_tokens_; }
  TextHash* row(Index t) { return values_.data() + t * num_slots_; }
  const TextHash* row(Index t) const { return values_.data() + t * num_slots_; }

 private:
  std::vector<TextHash> values_;
  Index num_tokens_ = 0;
  Index num_slots_ = 0;
};

inline constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::min();

// The token of a piece relative to t: possibly outside the sentence, or kNowhere.
inline std::int64_t position(const TemplateProgram& program, const TemplateValues& values,
                             const Place& place, Index t) {
  const auto here = static_cast<std::int64_t>(t);
  switch (place.anchor) {
    case Place::Anchor::kHere:
      return here + place.offset;
    case Place::Anchor::kFirst:
      return place.offset;
    case Place::Anchor::kLast:
      return static_cast<std::int64_t>(values.num_tokens()) + place.offset;
    case Place::Anchor::kPointer:
      break;
  }
  const TextHash offset = values.row(t)[program.expressions[place.pointer].slot];
  return offset.present() ? here + static_cast<std::int64_t>(offset.hash) : kNowhere;
}

// The marker for a position outside the sentence, by its distance; null if there are no markers.
inline const Marker* outside(const Markers& markers, std::int64_t position, Index num_tokens) {
  if (position == kNowhere || markers.before.empty()) return nullptr;
  const auto distance = position < 0 ? static_cast<Index>(-(position + 1))
                                     : static_cast<Index>(position) - num_tokens;
  const std::vector<Marker>& list = position < 0 ? markers.before : markers.after;
  return &list[std::min(distance, list.size() - 1)];
}

// The value of a piece at token t; not present() if it has no value.
inline TextHash value_at(const TemplateProgram& program, const TemplateValues& values,
                         const Piece& piece, Index t) {
  const std::int64_t at = position(program, values, piece.place, t);
  if (at >= 0 && static_cast<Index>(at) < values.num_tokens()) {
    return values.row(static_cast<Index>(at))[piece.slot];
  }
  const Marker* marker = outside(program.markers[piece.markers], at, values.num_tokens());
  return marker != nullptr ? marker->hash : TextHash::none();
}

// Caches the values of recent words. Word frequencies follow Zipf's law: a few thousand words are
// 90 % of any text.
//
// A direct-mapped cache from words to rows of `width` values: a new word replaces the one in its
// place. find() returns the inserted values or null, so results do not depend on the history.
// Memory: a constant of about kBytes.
class WordCache {
 public:
  static constexpr Index kBytes = Index{1} << 21;
  static constexpr Index kMaxWordBytes = 40;  // longer words are too rare

  explicit WordCache(Index width)
      : width_(width),
        entries_(std::bit_floor(kBytes / (sizeof(Entry) + width * sizeof(TextHash)) + 1)),
        values_(entries_.size() * width) {}

  Index width() const { return width_; }

  // The row of the word, or null.
  const TextHash* find(std::string_view word) const {
    const Index place = place_of(word);
    const Entry& entry = entries_[place];
    if (entry.size != word.size()) return nullptr;
    if (std::memcmp(entry.text.data(), word.data(), word.size()) != 0) return nullptr;
    return values_.data() + place * width_;
  }

  void insert(std::string_view word, const TextHash* row) {
    if (word.size() > kMaxWordBytes) return;
    const Index place = place_of(word);
    entries_[place].size = word.size();
    std::copy(word.begin(), word.end(), entries_[place].text.begin());
    std::copy_n(row, width_, values_.data() + place * width_);
  }

 private:
  struct Entry {
    Index size = ~Index{0};  // no word
    std::array<char, kMaxWordBytes> text;
  };

  Index place_of(std::string_view word) const { return fingerprint(word) & (entries_.size() - 1); }

  Index width_;
  std::vector<Entry> entries_;  // size is a power of two
  std::vector<TextHash> values_;
};

// Evaluates programs and reuses its memory.
class TemplateEvaluator {
 public:
  // Requires that the sentence has the columns of the program. The caches are for one program:
  // another program clears them.
  void evaluate(const std::shared_ptr<const TemplateProgram>& program, const Sentence& sentence,
                TemplateValues& values);

  // The text with the hash value_at(…), which must be present.
  static std::string text_at(const TemplateProgram& program, const Sentence& sentence,
                             const TemplateValues& values, const Piece& piece, Index t);

 private:
  void use(const std::shared_ptr<const TemplateProgram>& program);
  // Fills the slots of a group in one token's row.
  void evaluate_token(const TemplateProgram& program, const ColumnGroup& group,
                      std::string_view field, TextHash* row);
  static TextHash word_or_offset(const Expression& expression, std::string_view text);
  void evaluate_sentence(const Expression& expression, TemplateValues& values);
  void find_phrases(const Expression& expression, TemplateValues& values);
  static std::string text_of(const TemplateProgram& program, Index expression,
                             std::string_view field);

  std::shared_ptr<const TemplateProgram> program_;
  std::vector<WordCache> caches_;                       // by group; width 0: not used
  std::vector<std::optional<std::string_view>> texts_;  // by expression, for the current token
  std::vector<std::string> buffers_;                    // by expression
  std::vector<std::uint32_t> words_;
  std::vector<char> positions_;
};

}  // namespace trellis::tag
