// Scores of an aligner on sentence pairs with gold links, and the threshold of posteriors that is
// best for them.
#pragma once

#include <vector>

#include "trellis/formats/links/bitext_reader.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/generative/alignment/word_aligner.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/metrics/threshold.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

// Pairs with gold links.
struct GoldPairs {
  std::vector<SentencePair> pairs;
  std::vector<GoldLinks> links;
};

struct ThresholdSearch {
  bool wanted = true;
  ThresholdAim aim;
};

// Sets decoding.threshold if links have a threshold and the search for it is wanted.
ThresholdChoice judge_links(const WordAligner& aligner, const Vocabularies& words,
                            const GoldPairs& gold, const ThresholdSearch& search, int threads,
                            Decoding& decoding);

}  // namespace trellis::align
