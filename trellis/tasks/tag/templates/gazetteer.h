// Gazetteers: lists of phrases (cities, first names, companies) that a template can look tokens up
// in.
//
// A list file has one phrase per line, its words separated by blanks; empty lines mean nothing.
// In a sentence the longest phrases win: from left to right, at each token that is not yet covered,
// the longest phrase that begins there is taken, and its tokens get their position in it — B first,
// I inside, L last, U the only one. Time O(tokens × words of the longest phrase); the words of a
// list are numbered once and its phrases kept as a trie over those numbers.
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

// Gives the text of the list that a template names. Throws InputError.
using GazetteerLoader = std::function<std::string(const std::string& path)>;

// Reads list files (plain, gzip or zstd); a relative path starts from `directory`.
GazetteerLoader gazetteer_files(std::string directory);
// For templates that must not name a list: throws InputError.
GazetteerLoader no_gazetteers();

class Gazetteer {
 public:
  static constexpr Index kMaxPhraseWords = 64;
  static constexpr std::uint32_t kNoWord = 0;

  // `ignore_case`: the phrases are put into lower case, and the words looked up must be, too.
  // `name` stands in messages. Throws InputError on a phrase that is too long, on text that is not
  // UTF-8 and on a list without any phrase.
  Gazetteer(std::string_view text, const std::string& name, bool ignore_case);

  // The number of a word, kNoWord if no phrase has it.
  std::uint32_t word(std::string_view text) const;

  // For the words of a sentence, by number: 'B', 'I', 'L', 'U', or 0 outside all phrases.
  void find(std::span<const std::uint32_t> words, std::span<char> positions) const;

  Index num_phrases() const { return num_phrases_; }

 private:
  // Lookup by view, without a copy of the text.
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

// A list as it is kept in a model: its phrases once each, sorted, their words one blank apart.
std::string normalize_phrases(std::string_view text);

}  // namespace trellis::tag
