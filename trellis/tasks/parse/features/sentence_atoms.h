// A sentence as feature templates see it: for each word a row of atoms, that is, fingerprints of
// its form, tags and so on, computed once; and what lies between two words, from running counts.
// An arc's features are then sums of products of atoms, without a text (arc_templates.h).
//
// Row 0 is the root's. What stands before the first word is the root, what stands behind the last
// one the end.
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
  kFine,   // the coarse one where a file has none
  kMorph,  // all of FEATS
  kCase,   // that of FEATS whose key is "Case"
  kSuffix,
  kCoarseBefore,
  kCoarseAfter,
  kFineBefore,
  kFineAfter,
};
inline constexpr Index kWordAtoms = 11;

// What an arc has beside the atoms of its words.
enum class ArcAtom : std::uint8_t {
  kDistance,   // the bucket of |h − m|
  kBetween,    // words of the head's tag, of the modifier's, and punctuation: none, one or more
  kShared,     // FEATS that both have
  kClash,      // keys of FEATS that both have with different values
  kCoarseMid,  // a coarse tag between them: one feature for each
};
inline constexpr Index kArcAtoms = 5;

enum class ArcDirection : std::uint8_t { kFromLeft, kFromRight, kFromRoot };
inline constexpr Index kDirections = 3;
constexpr ArcDirection direction_of_arc(Index head, Index modifier) {
  if (head == 0) return ArcDirection::kFromRoot;
  return head < modifier ? ArcDirection::kFromLeft : ArcDirection::kFromRight;
}

// The coarse tags of a treebank by number: 0 is the root's, 1 … as in the list, and one for all
// that training has not seen. Beyond kMostTags the rarer ones share the last number.
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

// |h − m| as 1, 2, 3, 4, 5-6, 7-10, 11-20 or more, from 0 on.
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
  // How many of the words strictly between have the tag.
  Index count(Index low, Index high, Index tag) const {
    return counts_[(high - 1) * num_tags_ + tag] - counts_[low * num_tags_ + tag];
  }

  Index words_ = 0;
  Index num_tags_ = 0;
  std::vector<std::uint64_t> atoms_;   // words + 1 rows
  std::vector<std::uint8_t> tags_;     // numbers of coarse tags, words + 1
  std::vector<std::uint32_t> counts_;  // row i: how often each tag occurs among words 1 … i
  std::vector<std::uint32_t> marks_;   // how many of words 1 … i are punctuation
  std::vector<MorphItem> morph_;
  std::vector<Index> morph_begin_;
  std::vector<std::uint64_t> tag_atoms_;
};

// For explanations: what an atom of a word says, "saw".
std::string atom_text(const Sentence& sentence, Index word, WordAtom atom);
// Buckets of distances, as messages say them: "1", "5-6".
std::string_view distance_text(Index head, Index modifier);
// Words between of the head's coarse tag, of the modifier's, and punctuation: "0/1/2+".
std::string between_text(const Sentence& sentence, Index head, Index modifier);

}  // namespace trellis::parse
