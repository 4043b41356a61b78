// A sentence's dependency tree: arcs above the words, from heads to modifiers, with their labels.
//
//   right         ────  obj          what the parser found, and gold has
//   wrong label   ────  obj ≠ nsubj  the right head; gold's label stands behind the sign
//   wrong head    ━━━━  ✗ obj        what the parser found, and gold has not
//   missed        ╌╌╌╌  nsubj        gold's arc, where the parser found another head
//
// Sign and style of the line tell mistakes, colour repeats them. Lines are the stronger the more
// likely the parser thinks them, where that is known. Root arcs come from above. Pointing at an arc
// tells it in words.
//
// An arc is above all arcs that it spans, and no two that cross have the same height; at a word,
// the longer arcs stand outside, so that arcs of a projective tree never touch. Long sentences
// scroll; of those beyond kMaxTreeWords words the first ones are shown, which is stated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

inline constexpr Index kMaxTreeWords = 150;

struct DependencyPicture {
  std::string name;  // "line 12"; may be empty
  parse::Sentence system;
  std::optional<parse::Sentence> gold;  // of the same words; nothing: it is not known what is right
  // Of the arc that leads to each word, word m's at [m − 1]; empty or NaN: not known.
  std::vector<double> probabilities;
};

enum class ArcVerdict {
  kFound,  // and nobody knows whether it is right
  kRight,
  kWrongLabel,
  kWrongHead,
  kMissed,
};

struct TreeArc {
  std::uint32_t head = 0;  // 0: the root
  std::uint32_t modifier = 0;
  ArcVerdict verdict = ArcVerdict::kFound;
  Index level = 0;  // from 1, the lowest; root arcs have that above all others

  std::uint32_t left() const { return head < modifier ? head : modifier; }
  std::uint32_t right() const { return head < modifier ? modifier : head; }
};

// The arcs among the words that are shown, in the order of their modifiers, what was found before
// what was missed. A word that has no head has no arc. O(n²) for n of them.
std::vector<TreeArc> tree_arcs(const DependencyPicture& picture);

Html dependency_picture(const DependencyPicture& picture);

// How to read them; with gold trees, or without.
Html dependency_legend(bool gold);

}  // namespace trellis::report
