// How good an aligner's links are on sentence pairs whose links are known, and which threshold of
// posteriors is best for them.
#pragma once

#include <vector>

#include "trellis/formats/links/bitext_reader.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/generative/alignment/word_aligner.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/metrics/threshold.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

// Pairs whose links are known.
struct GoldPairs {
  std::vector<SentencePair> pairs;
  std::vector<GoldLinks> links;
};

struct ThresholdSearch {
  bool wanted = true;
  ThresholdAim aim;
};

// Sets decoding.threshold where links have one and the search is wanted.
ThresholdChoice judge_links(const WordAligner& aligner, const Vocabularies& words,
                            const GoldPairs& gold, const ThresholdSearch& search, int threads,
                            Decoding& decoding);

}  // namespace trellis::align
