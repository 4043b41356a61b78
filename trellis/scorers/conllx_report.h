// What the script of the CoNLL-X shared task prints, eval.pl v 1.9 of 2006/05/09 (Buchholz & Marsi
// 2006), to the byte:
//
//   eval.pl -q     conllx_summary
//   eval.pl -q -b  conllx_sentence_heading, a conllx_sentence_line for each, two blank lines,
//                  conllx_summary
//   eval.pl        conllx_summary, conllx_tables, and more tables that we leave out, whose order in
//                  the script is that of a hash
//
// It leaves punctuation out, and scores it with -p; eval07.pl of CoNLL-07 has it the other way
// round and prints the same, but no line for a sentence of which no word is scored.
//
// conllx_script.h has the scripts themselves. Parts of speech that are equally frequent have no
// order in them, and are sorted here; where no word is scored the scores are NaN.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/scorers/attachment_counts.h"

namespace trellis::parse {

std::string conllx_summary(const AttachmentCounts& counts);

std::string conllx_sentence_heading();
// `number` of the sentence, from 1, and its `size` in words, whether they are scored or not.
std::string conllx_sentence_line(Index number, Index size, const AttachmentCounts& counts);

// By part of speech, label, direction and distance. The names are those of the files.
std::string conllx_tables(const AttachmentTally& tally, std::string_view gold_name,
                          std::string_view system_name);

}  // namespace trellis::parse
