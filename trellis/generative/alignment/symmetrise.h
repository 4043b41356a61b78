// Two alignments of one sentence pair made into one. Alignments of one direction give each target
// word at most one source word (forward), or each source word at most one target word (reverse);
// what both find is precise, what either finds is complete, and the growing methods lie between:
// Och & Ney (2003), section 5; Koehn, Och & Marcu (2003), section 2.3; Koehn, Axelrod, Birch Mayne,
// Callison-Burch, Osborne & Talbot (2005). The two sets may be any: posteriors above a threshold
// give a word several partners.
//
// GROW-DIAG begins with A = forward ∩ reverse and repeats, until a pass adds nothing,
//
//   for each target word t, for each source word s, both ascending, if (s, t) ∈ A now:
//     for (t′, s′) = (t, s) + (−1,0), (0,−1), (1,0), (0,1), (−1,−1), (−1,1), (1,−1), (1,1):
//       if (s′, t′) ∈ forward ∪ reverse, and s′ or t′ has no link in A:  add (s′, t′) to A
//
// and FINAL(D), for each t, for each s, adds (s, t) ∈ D where s or t has no link in A; FINAL-AND(D)
// where neither has. grow-diag-final is GROW-DIAG, FINAL(forward), FINAL(reverse);
// grow-diag-final-and likewise. A link counts from the moment it is added: the order matters, and
// is that of the published pseudo code and of Moses' symal. (fast_align's atools goes through the
// union, source word by source word, and asks which links have a neighbour in A; that gives other
// sets now and then.)
//
//   intersection ⊆ grow-diag ⊆ grow-diag-final, grow-diag-final-and ⊆ union
//
// holds always. grow-diag-final has a link for each word that has one in the union. But
// grow-diag-final-and is not always within grow-diag-final: a link that FINAL adds early may cover
// the words of one that FINAL-AND would take.
//
// With u links in the union a pass takes O(u) time, times the most links of a word; there are two
// or three as a rule, and at most u + 1. Memory O(u + words).
#pragma once

#include <span>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/links.h"

namespace trellis {

enum class Symmetrisation {
  kForward,
  kReverse,
  kIntersection,
  kUnion,
  kGrowDiag,
  kGrowDiagFinal,
  kGrowDiagFinalAnd,
};
constexpr auto names_of(Symmetrisation) {
  return Names{"symmetrisation", "forward",   "reverse",         "intersection",
               "union",          "grow-diag", "grow-diag-final", "grow-diag-final-and"};
}

// Both are sets (see links.h) of links between `num_source` and `num_target` words.
Links symmetrise(std::span<const Link> forward, std::span<const Link> reverse, Index num_source,
                 Index num_target, Symmetrisation method);

}  // namespace trellis
