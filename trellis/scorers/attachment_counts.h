// How good a parser's trees are: the share of words that hang on the right head (UAS, the unlabeled
// attachment score), and of those that do so by the right label (LAS, the labeled one), as the
// shared task of CoNLL-X counts them (Buchholz & Marsi 2006; its script eval.pl), with and without
// punctuation, and by part of speech, label, direction and distance.
//
// All are counts that add up: tallies of parts of a treebank, of any number of threads, sum to the
// tally of the whole. Percentages are computed as the script does, 100 − 100 errors / words, so
// that rounding agrees.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"

namespace trellis::parse {

// Whether words of nothing but punctuation are scored. As heads of others they count anyhow.
enum class Punctuation { kScored, kLeftOut };
constexpr auto names_of(Punctuation) {
  return Names{"treatment of punctuation", "scored", "left-out"};
}
// All characters are of Unicode's categories P*: "%", "''" and "_" are punctuation, "$", "+", "``"
// are not.
bool is_punctuation_word(std::string_view form);

// Words, and those of them that are right.
struct AttachmentCounts {
  Index words = 0;
  Index heads = 0;   // right head
  Index labels = 0;  // right label, of whatever head
  Index both = 0;

  // In percent; 0 where there is no word.
  double uas() const { return percent(heads); }
  double las() const { return percent(both); }
  double label_accuracy() const { return percent(labels); }

  void add(bool head, bool label);
  AttachmentCounts& operator+=(const AttachmentCounts& other);
  bool operator==(const AttachmentCounts&) const = default;

 private:
  double percent(Index right) const {
    if (words == 0) return 0;
    return 100 - static_cast<double>(words - right) * 100 / static_cast<double>(words);
  }
};

// Of the words that gold, or the system, puts into one class: a label, a direction, a distance.
struct ClassCounts {
  Index gold = 0;
  Index system = 0;
  Index agreed = 0;  // both put the word there
  Index heads = 0;   // of gold's: the head is right
  Index both = 0;    // of gold's: head and label are right

  // In percent; 0 where there is no word. Of words whose head is right, among gold's; and of those
  // whose label is, too, among gold's, the system's and both.
  double uas() const;
  double recall() const;
  double precision() const;
  double f1() const;

  ClassCounts& operator+=(const ClassCounts& other);
  bool operator==(const ClassCounts&) const = default;
};

enum class HeadDirection { kToRoot, kLeft, kRight, kSelf };
constexpr auto names_of(HeadDirection) {
  return Names{"direction of a head", "to_root", "left", "right", "self"};
}
enum class HeadDistance { kToRoot, kOne, kTwo, kThreeToSix, kSevenOrMore };
constexpr auto names_of(HeadDistance) {
  return Names{"distance of a head", "to_root", "1", "2", "3-6", "7-..."};
}
HeadDirection direction_of(std::uint32_t head, std::uint32_t modifier);
HeadDistance distance_of(std::uint32_t head, std::uint32_t modifier);

struct AttachmentTally {
  AttachmentCounts total;
  Index left_out = 0;                                           // words that are not scored
  std::map<std::string, AttachmentCounts, std::less<>> by_tag;  // gold's coarse part of speech
  std::map<std::string, ClassCounts, std::less<>> by_label;     // of either
  std::array<ClassCounts, 4> by_direction;
  std::array<ClassCounts, 5> by_distance;

  void add(const Word& gold, const Word& system, std::uint32_t m);
  AttachmentTally& operator+=(const AttachmentTally& other);
  bool operator==(const AttachmentTally&) const = default;
};

// One sentence's counts. Both have the same words, and every word its head.
AttachmentCounts attachment_counts(const Sentence& gold, const Sentence& system,
                                   Punctuation punctuation);

}  // namespace trellis::parse
