// A sentence's constituency tree, or two of them side by side: what is right, and what a parser
// found. Words stand on one line, brackets above them, each over the middle of its words.
//
//   right       ────  NP     both trees have the bracket, or it does not count (TOP, punctuation)
//   wrong       ━━━━  ✗ NP   what the parser found, and gold has not
//   missed      ╌╌╌╌  NP     what gold has, and the parser did not find
//
// as EVALB compares brackets (scorers/bracket_match.h). Sign and style of the line
// tell mistakes, colour repeats them. Pointing at a bracket tells it in words. Trees without a
// mistake are drawn once. Wide trees scroll; those beyond the limits below are not drawn, which is
// stated.
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
inline constexpr Index kMaxBracketLevels = 60;  // of brackets within each other

struct ConstituencyPicture {
  std::string name;  // "line 12"; may be empty
  grammar::ConstituencyTree found;
  std::optional<grammar::ConstituencyTree> gold;  // nothing: it is not known what is right
  grammar::EvalbParameters parameters = grammar::EvalbParameters::collins();
};

enum class NodeVerdict {
  kPlain,  // nobody knows whether it is right, or it does not count
  kRight,
  kWrong,   // a bracket, or a tag
  kMissed,  // a bracket of gold
};

// By node. Where gold has other words, so that EVALB compares nothing, all are plain.
struct ConstituencyVerdicts {
  std::vector<NodeVerdict> found;
  std::vector<NodeVerdict> gold;

  bool all_right() const;
};
ConstituencyVerdicts judge_nodes(const ConstituencyPicture& picture);

Html constituency_picture(const ConstituencyPicture& picture);
// What lines and signs mean; without gold there is nothing to tell.
Html constituency_legend();

}  // namespace trellis::report
