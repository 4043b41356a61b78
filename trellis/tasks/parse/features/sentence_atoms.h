// A sentence as input of feature templates: for each word a row of atoms (fingerprints of its form,
// tags and so on), computed once; and counts of the words between two words, from running totals.
// An arc's features are then sums of products of atoms, without any text (arc_templates.h).
//
// Row 0 is the root. The root precedes the first word, the end mark follows the last one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/treebank/sentence.h"

namespace trellis::parse {

enum class WordAtom : std::uint8_t {
  kForm,
  kLemma,
  kCoarse,
  kFine,   // the coarse tag if a file has no fine one
  kMorph,  // all of FEATS
  kCase,   // value of the key "Case" in FEATS
  kSuffix,
  kCoarseBefore,
  kCoarseAfter,
  kFineBefore,
  kFineAfter,
};
inline constexpr Index kWordAtoms = 11;

// Atoms of an arc in addition to those of its words.
enum class ArcAtom : std::uint8_t {
  kDistance,   // the bucket of |h − m|
  kBetween,    // words with the head's tag, the modifier's, punctuation: 0, 1 or more
  kShared,     // FEATS that both have
  kClash,      // keys of FEATS with different values
  kCoarseMid,  // a coarse tag between them: a feature for each
};
inline constexpr Index kArcAtoms = 5;

enum class ArcDirection : std::uint8_t { kFromLeft, kFromRight, kFromRoot };
inline constexpr Index kDirections = 3;
constexpr ArcDirection direction_of_arc(Index head, Index modifier) {
  if (head == 0) return ArcDirection::kFromRoot;
  return head < modifier ? ArcDirection::kFromLeft : ArcDirection::kFromRight;
}

// The coarse tags of a treebank as numbers: 0 is the root's, 1 … are in the order of the list, and
// one is for all tags unknown to training. Beyond kMostTags, the rarer ones share the last number.
class TagNumbers {
 public:
  static constexpr Index kMostTags = 62;

  TagNumbers() = default;
  explicit TagNumbers(NameList tags) : tags_(std::move(tags)) {}

  Index size() const { return std::min(tags_.size(), kMostTags) + 2; }
  Index unknown() const { return size() - 1; }
  std::uint8_t number(std::string_view tag) const;
  const NameList& names() const { return tags_; }

 private:
  NameList tags_;
};

// Buckets of |h − m|: 1, 2, 3, 4, 5-6, 7-10, 11-20 or more, numbered from 0.
inline constexpr Index kLongestNear = 20;
inline constexpr auto kDistanceBuckets = [] {
  std::array<std::uint8_t, kLongestNear + 1> buckets{};
  for (Index d = 1; d <= kLongestNear; ++d) {
    buckets[d] = static_cast<std::uint8_t>(d <= 4 ? d - 1 : d <= 6 ? 4 : d <= 10 ? 5 : 6);
  }
  return buckets;
}();
constexpr Index distance_bucket(Index head, Index modifier) {
  const Index distance = head < modifier ? modifier - head : head - modifier;
  return distance <= kLongestNear ? kDistanceBuckets[distance] : 7;
}

class SentenceAtoms {
 public:
  static constexpr std::uint8_t kRootTag = 0;

  // Reuses its memory.
  void assign(const Sentence& sentence, const TagNumbers& tags);

  Index words() const { return words_; }
  std::span<const std::uint64_t, kWordAtoms> word(Index i) const {
    return std::span<const std::uint64_t, kWordAtoms>(&atoms_[i * kWordAtoms], kWordAtoms);
  }
  std::uint8_t tag(Index i) const { return tags_[i]; }

  std::uint64_t distance(Index head, Index modifier) const {
    return head == 0 ? 1 : distance_bucket(head, modifier) + 2;
  }
  std::uint64_t between(Index head, Index modifier) const {
    const Index low = std::min(head, modifier), high = std::max(head, modifier);
    const auto up_to_two = [](Index number) { return std::min<Index>(number, 2); };
    const Index like_head = up_to_two(count(low, high, tags_[head]));
    const Index like_modifier = up_to_two(count(low, high, tags_[modifier]));
    const Index marks = up_to_two(marks_[high - 1] - marks_[low]);
    return 1 + like_head + 3 * like_modifier + 9 * marks;
  }
  std::uint64_t shared(Index head, Index modifier) const;
  std::uint64_t clash(Index head, Index modifier) const;
  // Bit t: a word between them has tag t.
  std::uint64_t tags_between(Index head, Index modifier) const;
  std::uint64_t tag_atom(Index tag) const { return tag_atoms_[tag]; }

 private:
  struct MorphItem {
    std::uint64_t key;
    std::uint64_t item;
  };

  void add_morph(const std::string& features, std::uint64_t* atoms);
  std::span<const MorphItem> morph(Index i) const {
    return std::span(morph_).subspan(morph_begin_[i], morph_begin_[i + 1] - morph_begin_[i]);
  }
  // The number of words strictly between with the tag.
  Index count(Index low, Index high, Index tag) const {
    return counts_[(high - 1) * num_tags_ + tag] - counts_[low * num_tags_ + tag];
  }

  Index words_ = 0;
  Index num_tags_ = 0;
  std::vector<std::uint64_t> atoms_;   // words + 1 rows
  std::vector<std::uint8_t> tags_;     // numbers of coarse tags, words + 1
  std::vector<std::uint32_t> counts_;  // row i: counts of each tag among words 1 … i
  std::vector<std::uint32_t> marks_;   // number of punctuation marks among words 1 … i
  std::vector<MorphItem> morph_;
  std::vector<Index> morph_begin_;
  std::vector<std::uint64_t> tag_atoms_;
};

// For explanations: the text of a word's atom, "saw".
std::string atom_text(const Sentence& sentence, Index word, WordAtom atom);
// Buckets of distances as text: "1", "5-6".
std::string_view distance_text(Index head, Index modifier);
// Words between with the head's coarse tag, with the modifier's, and punctuation: "0/1/2+".
std::string between_text(const Sentence& sentence, Index head, Index modifier);

}  // namespace trellis::parse
