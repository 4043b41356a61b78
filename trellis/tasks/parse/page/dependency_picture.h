// A sentence's dependency tree: arcs above the words, from heads to modifiers, with their labels.
//
//   right         ────  obj          the predicted arc, which is in the gold tree
//   wrong label   ────  obj ≠ nsubj  the right head; gold's label follows the sign
//   wrong head    ━━━━  ✗ obj        the predicted arc, which is not in the gold tree
//   missed        ╌╌╌╌  nsubj        gold's arc, if another head was predicted
//
// Sign and line style mark mistakes; colour repeats them. More probable arcs have stronger lines,
// if probabilities are known. Root arcs come from above. Pointing at an arc shows it in words.
//
// An arc is above all arcs that it spans, and crossing arcs have different heights. At a word,
// longer arcs are outside, so that arcs of a projective tree never touch. Long sentences scroll; a
// sentence of more than kMaxTreeWords words is cut after them, and the page says so.
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
  std::optional<parse::Sentence> gold;  // of the same words; empty: gold is unknown
  // Of the arc to each word, word m's at [m − 1]; empty or NaN: unknown.
  std::vector<double> probabilities;
};

enum class ArcVerdict {
  kFound,  // gold is unknown
  kRight,
  kWrongLabel,
  kWrongHead,
  kMissed,
};

struct TreeArc {
  std::uint32_t head = 0;  // 0: the root
  std::uint32_t modifier = 0;
  ArcVerdict verdict = ArcVerdict::kFound;
  Index level = 0;  // from 1, the lowest; root arcs are above all others

  std::uint32_t left() const { return head < modifier ? head : modifier; }
  std::uint32_t right() const { return head < modifier ? modifier : head; }
};

// The arcs among the displayed words, in the order of their modifiers, each predicted arc before
// the missed one. A word without a head has no arc. O(n²) for n words.
std::vector<TreeArc> tree_arcs(const DependencyPicture& picture);

Html dependency_picture(const DependencyPicture& picture);

// The legend, with or without gold trees.
Html dependency_legend(bool gold);

}  // namespace trellis::report
