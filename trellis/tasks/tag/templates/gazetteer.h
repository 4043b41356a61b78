// Gazetteers: lists of phrases (cities, first names, companies) in which templates can look up
// tokens.
//
// A list file has one phrase per line, with words separated by blanks; empty lines are ignored. In
// a sentence the longest phrases win: from left to right, at each token that is not covered yet,
// the longest phrase from there is taken, and its tokens get their positions in it: B first, I
// inside, L last, U the only one. Time O(tokens × words of the longest phrase); words of a list are
// numbered once, and its phrases are stored as a trie over these numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::tag {

// Returns the text of a list named by a template. Throws InputError.
using GazetteerLoader = std::function<std::string(const std::string& path)>;

// Reads list files (plain, gzip or zstd); relative paths start from `directory`.
GazetteerLoader gazetteer_files(std::string directory);
// For templates that may not name a list: throws InputError.
GazetteerLoader no_gazetteers();

class Gazetteer {
 public:
  static constexpr Index kMaxPhraseWords = 64;
  static constexpr std::uint32_t kNoWord = 0;

  // `ignore_case`: phrases are converted to lower case, and words to look up must be in lower case.
  // Messages name `name`. Throws InputError for a phrase that is too long, for invalid UTF-8, and
  // for a list without phrases.
  Gazetteer(std::string_view text, const std::string& name, bool ignore_case);

  // The number of a word; kNoWord if no phrase contains it.
  std::uint32_t word(std::string_view text) const;

  // For the words of a sentence, as numbers: 'B', 'I', 'L', 'U', or 0 outside all phrases.
  void find(std::span<const std::uint32_t> words, std::span<char> positions) const;

  Index num_phrases() const { return num_phrases_; }

 private:
  // Finds views without copying the text.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
  };

  void add_phrase(std::span<const std::string_view> words);
  Index longest_at(std::span<const std::uint32_t> words) const;

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> words_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // (node, word) → node
  std::vector<bool> ends_phrase_{false};                       // by node; node 0 is the root
  Index num_phrases_ = 0;
};

// A list as stored in a model: distinct phrases, sorted, with single blanks between words.
std::string normalize_phrases(std::string_view text);

}  // namespace trellis::tag
