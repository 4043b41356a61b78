// The file formats of word alignments, that is, of links between the words of a sentence and the
// words of its translation: Pharaoh's (the decoder of Koehn 2004; today that of Moses and
// fast_align), that of the NAACL shared tasks, and that of GIZA++.
//
//   pharaoh  a line for each sentence pair, links separated by blanks, words from 0:
//              0-0 1-2      sure
//              1?2 1-2-P    possible
//              0-0-S        sure, said aloud
//              0-0:0.9312   with a probability, which may stand behind each of these
//   naacl    a line for each link, sentences and words from 1 (the format of the shared tasks of
//            HLT-NAACL 2003 and ACL 2005; Mihalcea & Pedersen 2003), word 0 being the empty word:
//              sentence source target [S|P] [confidence]
//   giza     three lines for each sentence pair, the A3 files of GIZA++ (Och & Ney 2003), words
//            from 1; behind each source word stand the target words it is linked with:
//              # Sentence pair (1) source length 2 target length 3 alignment score : 0.0123
//              das ist gut
//              NULL ({ }) that ({ 1 }) 's ({ 2 3 })
//
// In Pharaoh's format the probability follows a colon: programs that read a number up to the first
// other character (C, awk, Perl) then find the right words before it, and stricter programs stop
// instead of reading part of it as a word or a mark.
#pragma once

#include "trellis/base/names.h"

namespace trellis::align {

enum class LinksFormat { kPharaoh, kNaacl, kGiza };
constexpr auto names_of(LinksFormat) {
  return Names{"format of links", "pharaoh", "naacl", "giza"};
}

}  // namespace trellis::align
