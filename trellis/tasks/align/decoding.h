// Decoding: from posteriors and best alignments to the links of a pair.
//
//   product                    links whose product of forward and reverse posterior is at least
//                              the threshold (Liang, Taskar & Klein 2006, 3.3)
//   forward, reverse, …        links of one direction, or of both combined
//                              (generative/alignment/symmetrise.h), where a direction has
//     viterbi                  its best alignment: at most one link for a word
//     posterior                the links whose own posterior is at least the threshold
//
// The probability of a link is the product, or the posterior of the one direction; for combined
// directions, the mean of the two.
#pragma once

#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/generative/alignment/symmetrise.h"
#include "trellis/generative/alignment/word_aligner.h"

namespace trellis::align {

// The words of Symmetrisation, in its order, and kProduct.
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
  WordAligner::Likelihood likelihood;  // log p(f | e), log p(e | f); 0 if a side is empty
  // If a limit ended the search: the best links may score higher by this much.
  double gap = 0;
};

// Either side may be empty.
void decode(const WordAligner& aligner, WordPair pair, const Decoding& decoding,
            DecodeScratch& scratch, AlignedLinks& found);

// All links of a pair with the number that a threshold is compared with: that of `product`, or of
// the one direction. Links below `least` are left out.
void score_links(const WordAligner& aligner, WordPair pair, const Decoding& decoding, double least,
                 DecodeScratch& scratch, std::vector<ScoredLink>& scored);

// All links of a pair with the probability that decode() gives to found links. Links below `least`
// are left out.
void weigh_links(const WordAligner& aligner, WordPair pair, const Decoding& decoding, double least,
                 DecodeScratch& scratch, std::vector<ScoredLink>& weighed);

}  // namespace trellis::align
