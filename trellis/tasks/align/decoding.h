// From posteriors and best alignments to links: which of a pair's links are shown.
//
//   product                    links whose forward and reverse posterior, multiplied, are at least
//                              the threshold (Liang, Taskar & Klein 2006, 3.3)
//   forward, reverse, …        those of one direction, or of both made into one
//                              (generative/alignment/symmetrise.h), where a direction has
//     viterbi                  its best alignment: one link for a word, or none
//     posterior                the links whose own posterior is at least the threshold
//
// A link's probability is the product, or the posterior of the direction that is shown; for links
// that are made of both directions, the mean of the two.
#pragma once

#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/generative/alignment/symmetrise.h"
#include "trellis/generative/alignment/word_aligner.h"

namespace trellis::align {

// The words of Symmetrisation, in its order, and one more.
enum class Combination {
  kForward,
  kReverse,
  kIntersection,
  kUnion,
  kGrowDiag,
  kGrowDiagFinal,
  kGrowDiagFinalAnd,
  kProduct,
};
constexpr auto names_of(Combination) {
  return Names{"method to combine directions",
               "forward",
               "reverse",
               "intersection",
               "union",
               "grow-diag",
               "grow-diag-final",
               "grow-diag-final-and",
               "product"};
}

enum class Decode { kViterbi, kPosterior };
constexpr auto names_of(Decode) {
  return Names{"decoding method", "viterbi", "posterior"};
}

struct Decoding {
  Combination combination = Combination::kProduct;
  Decode decode = Decode::kViterbi;
  double threshold = 0.3;

  bool has_threshold() const {
    return combination == Combination::kProduct || decode == Decode::kPosterior;
  }
};

struct DecodeScratch {
  WordAligner::Scratch aligner;
  std::vector<Label> a, b;
};

struct AlignedLinks {
  std::vector<ScoredLink> links;       // sorted
  WordAligner::Likelihood likelihood;  // log p(f | e), log p(e | f); 0 where a side has no word
  // Of a search that a limit ended: the links may score this much less than the best.
  double gap = 0;
};

// Of a pair of which either side may be empty.
void decode(const WordAligner& aligner, WordPair pair, const Decoding& decoding,
            DecodeScratch& scratch, AlignedLinks& found);

// All links of a pair with what a threshold is compared with: of `product`, or of the one direction
// that is combined. Links below `least` are left out.
void score_links(const WordAligner& aligner, WordPair pair, const Decoding& decoding, double least,
                 DecodeScratch& scratch, std::vector<ScoredLink>& scored);

// All links of a pair with the probability that decode() tells of those it finds. Links below
// `least` are left out.
void weigh_links(const WordAligner& aligner, WordPair pair, const Decoding& decoding, double least,
                 DecodeScratch& scratch, std::vector<ScoredLink>& weighed);

}  // namespace trellis::align
