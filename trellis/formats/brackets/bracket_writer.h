// Writer of constituency trees in the bracketed format of the Penn Treebank (Marcus, Santorini &
// Marcinkiewicz 1993), on one line or indented. bracket_reader.h reads it back.
//
// Trees are appended to a string, so that several threads can write, each to its own string. Round
// brackets in words are written as -LRB- and -RRB-.
#pragma once

#include <string>
#include <string_view>

#include "trellis/formats/brackets/tree.h"

namespace trellis::grammar {

// "(" → "-LRB-", ")" → "-RRB-", wherever they stand in the word.
std::string escape_brackets(std::string_view word);

// (TOP (S (NP (DT The) (NN soup)) (VP (VBZ boils)) (. .))), without a line end.
void append_brackets(const ConstituencyTree& tree, std::string& out);

// On several lines, as in the Penn Treebank: the tags before the first bracket follow the label on
// its line; everything else has a line of its own, indented by two blanks. Ends with a line end.
//
//   (TOP
//     (S
//       (NP (DT The) (NN soup))
//       (VP (VBZ boils))
//       (. .)))
void append_indented_brackets(const ConstituencyTree& tree, std::string& out);

}  // namespace trellis::grammar
