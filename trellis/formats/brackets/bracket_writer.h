// Writer of constituency trees in the bracketed format of the Penn Treebank (Marcus, Santorini &
// Marcinkiewicz 1993), on one line or indented. bracket_reader.h reads it back.
//
// Trees are appended to a string, so that many threads can write, each to its own. Round brackets
// in words are written as -LRB- and -RRB-.
#pragma once

#include <string>
#include <string_view>

#include "trellis/formats/brackets/tree.h"

namespace trellis::grammar {

// "(" → "-LRB-", ")" → "-RRB-", wherever they stand in the word.
std::string escape_brackets(std::string_view word);

// (TOP (S (NP (DT The) (NN soup)) (VP (VBZ boils)) (. .))), without a line end.
void append_brackets(const ConstituencyTree& tree, std::string& out);

// Over lines, as the Penn Treebank has it: tags that come first stand beside the label of their
// bracket, everything else on a line of its own, two blanks further in. Ends with a line end.
//
//   (TOP
//     (S
//       (NP (DT The) (NN soup))
//       (VP (VBZ boils))
//       (. .)))
void append_indented_brackets(const ConstituencyTree& tree, std::string& out);

}  // namespace trellis::grammar
