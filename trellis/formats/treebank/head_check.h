// Checks the heads of a sentence of a dependency treebank (treebank_format.h): whether they are
// there, form a tree, and have one root.
#pragma once

#include <string>

#include "trellis/formats/treebank/sentence.h"
#include "trellis/formats/treebank/treebank_format.h"

namespace trellis::parse {

// Throws InputError with the file, the line of a word that is at fault, and the fault: a head that
// is no word of the sentence, a head that is missing, a cycle and its words, several roots. O(n).
void check_heads(const Sentence& sentence, Heads heads, const std::string& file);

}  // namespace trellis::parse
