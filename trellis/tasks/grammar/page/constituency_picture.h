// The constituency tree of a sentence, or gold and predicted tree side by side. Words are on one
// line; each bracket is above the middle of its words.
//
//   right       ────  NP     both trees have the bracket, or it does not count (TOP, punctuation)
//   wrong       ━━━━  ✗ NP   only the predicted tree has the bracket
//   missed      ╌╌╌╌  NP     only the gold tree has the bracket
//
// as EVALB compares brackets (scorers/bracket_match.h). Sign and line style mark mistakes; colour
// repeats them. Pointing at a bracket shows it in words. Trees without a mistake are drawn once.
// Wide trees scroll; trees beyond the limits below are not drawn, and the page says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/pictures/markup/markup.h"
#include "trellis/scorers/evalb_parameters.h"

namespace trellis::report {

inline constexpr Index kMaxBracketedWords = 150;
inline constexpr Index kMaxBracketLevels = 60;  // nested brackets

struct ConstituencyPicture {
  std::string name;  // "line 12"; may be empty
  grammar::ConstituencyTree found;
  std::optional<grammar::ConstituencyTree> gold;  // empty: gold is unknown
  grammar::EvalbParameters parameters = grammar::EvalbParameters::collins();
};

enum class NodeVerdict {
  kPlain,  // gold is unknown, or the node does not count
  kRight,
  kWrong,   // a bracket or a tag
  kMissed,  // a bracket of gold
};

// By node. If gold has other words, EVALB compares nothing, and all nodes are plain.
struct ConstituencyVerdicts {
  std::vector<NodeVerdict> found;
  std::vector<NodeVerdict> gold;

  bool all_right() const;
};
ConstituencyVerdicts judge_nodes(const ConstituencyPicture& picture);

Html constituency_picture(const ConstituencyPicture& picture);
// The legend of lines and signs; empty without gold.
Html constituency_legend();

}  // namespace trellis::report
