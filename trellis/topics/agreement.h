// Do documents that are translations of each other have the same topics?
//
// For pairs (d, d') of documents with mixtures θ^d, θ^d' (Petterson 2011, sec. 6.4.5), means over
// the pairs:
//
//   l2            ( Σ_k (θ^d_k − θ^d'_k)² )^½
//   Hellinger     Σ_k (√θ^d_k − √θ^d'_k)², as defined there: without the root and the factor ½ of
//                 the usual distance of that name; 0 to 2
//   first topic   whether the topic with the largest share is the same
//   top topics    number of topics that are among the `top_topics` largest of both
//
// Of equal shares the lower topic is the larger one.
//
// A search task: all second documents are ranked by their Hellinger distance to a first one, the
// nearest first; which rank has its translation? Reported are the share of documents whose
// translation is at rank 1, and the mean of 1 / rank; and both from second to first. Documents at
// equal distances share the mean of their ranks, the average over random tie-breaking: a
// translation as near as another document is not at rank 1, and mixtures that are all alike find
// nothing. Only documents of the pairs are candidates.
//
// Time O(n K log K) for the first four and O(n² K) in vector registers for the ranks of n pairs: 4
// s on a core for n = 10 000, K = 100, both ways. Memory O(n K).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/corpus/translations.h"

namespace trellis::topics {

struct AgreementOptions {
  Index top_topics = 5;  // at least 1; where a model has fewer, all

  // Throws UsageError.
  void check() const;
};

// How well translations are found; NaN where there is no pair.
struct Retrieval {
  double first = std::numeric_limits<double>::quiet_NaN();            // share at rank 1
  double reciprocal_rank = std::numeric_limits<double>::quiet_NaN();  // mean
};

// NaN where there is no pair.
struct Agreement {
  Index pairs = 0;
  double l2 = std::numeric_limits<double>::quiet_NaN();
  double hellinger = std::numeric_limits<double>::quiet_NaN();
  double first_topic = std::numeric_limits<double>::quiet_NaN();  // a share
  double top_topics = std::numeric_limits<double>::quiet_NaN();   // a number of topics
  Retrieval forth;                                                // second ones by first ones
  Retrieval back;
};

// `mixtures` are rows of `num_topics` shares, not negative. The pairs are of rows; a row is first
// in one at most, and second in one at most. Throws UsageError otherwise. Same bits for any number
// of threads (0: all cores).
Agreement measure_agreement(std::span<const double> mixtures, Index num_topics,
                            std::span<const TranslationPair> pairs,
                            const AgreementOptions& options = {}, int threads = 0);

// The rank of candidate i for query i, among all candidates, from 1: both are rows of `dimensions`
// finite values, as many of one as of the other, compared by squared distances in float. Equal
// distances: the mean rank.
std::vector<double> ranks_of_partners(std::span<const float> queries,
                                      std::span<const float> candidates, Index dimensions,
                                      int threads);

}  // namespace trellis::topics
