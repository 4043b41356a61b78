// How likely a tag makes a word, for words that were never seen as well: what tags a word has is
// mixed with what tags rare words like it have, likeness being that of classes by shape and suffix,
// from fine to coarse (Weischedel et al. 1993; Samuelsson 1993):
//
//   p(t | w) = (c(t, w) + κ p(t | class₁(w))) / (c(w) + κ),     p(w | t) ∝ p(t | w) / p(t)
//
// and p(t | class) likewise by the next coarser class; the coarsest is that of all words. The share
// p(w), which all tags have in common, is left out. A word that was seen often has the tags that it
// was seen with, and no others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"

namespace trellis {

// Names with counts of tags.
struct TagCounts {
  struct Entry {
    std::uint32_t tag = 0, count = 0;
  };

  NameList names;
  std::vector<std::uint64_t> begin = {0};  // of a name's entries
  std::vector<Entry> entries;              // ascending by tag
};

class WordModel {
 public:
  static constexpr Index kLevels = 4;     // words, and classes from fine to coarse
  static constexpr double kKappa = 1;     // of words; of classes it is as much
  static constexpr Index kRare = 5;       // words seen no more often than this tell of classes
  static constexpr Index kFrequent = 20;  // words seen so often have the tags they were seen with

  struct Token {
    std::string_view word;
    std::uint32_t tag = 0;
    bool first = false;  // of its sentence
  };

  WordModel() = default;
  WordModel(std::span<const Token> tokens, Index num_tags);
  // As a model file has them: levels in order, counts of all tags.
  WordModel(std::vector<TagCounts> levels, std::vector<std::uint64_t> tag_counts);

  Index num_tags() const { return tag_counts_.size(); }
  std::span<const TagCounts> levels() const { return levels_; }
  std::span<const std::uint64_t> tag_counts() const { return tag_counts_; }

  double tag_share(Index t) const { return tag_shares_[t]; }  // p(t)

  bool knows(std::string_view word) const { return levels_[0].names.find(word) != NameList::kNone; }
  // weights[t] ← p(t | w) / p(t), 0 for tags that the word cannot have. `first`: the word begins
  // its sentence, where a capital is ignored if the word is known without it.
  void weights(std::string_view word, bool first, std::span<double> weights) const;

 private:
  void finish();

  std::vector<TagCounts> levels_;
  std::vector<std::uint64_t> tag_counts_;
  std::vector<double> tag_shares_;  // p(t)
};

// The class of a word at a level above 0: its shape and some last letters, fewer at each level.
void word_class(std::string_view word, Index level, std::string& name);

}  // namespace trellis
