// Counting what a text says of its words (model/text_statistics.h) with an aligner's best
// alignments, one pass over the text on all threads. Counts are integers, so the bits are the same
// for any number of them.
//
// Memory: 36 bytes for each pair of words that follow each other often enough, and before, while
// those are looked for, about half a byte a token for each thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/word_aligner.h"
#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

struct CountOptions {
  Index frequent = 5;  // times that words follow each other, to be known; 1 or more
  int threads = 0;
  std::stop_token stop;                                    // looked at between pairs
  std::function<void(Index done, Index all)> on_progress;  // pairs
};

// The statistics of the bitext by entry of the aligner's lexicon, whose words must be the bitext's
// or more. None: stopped.
std::optional<TextStatistics> count_statistics(const Bitext& bitext, const WordAligner& aligner,
                                               const CountOptions& options);

}  // namespace trellis::align
