// Counts the statistics of a text (model/text_statistics.h) with the best alignments of an aligner,
// in one pass over the text on all threads. Counts are integers, so the bits do not depend on the
// number of threads.
//
// Memory: 36 bytes for each sufficiently frequent pair of consecutive words; the search for these
// pairs takes about half a byte per token and thread before.
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
  Index frequent = 5;  // least occurrences of a pair of consecutive words; 1 or more
  int threads = 0;
  std::stop_token stop;                                    // checked between pairs
  std::function<void(Index done, Index all)> on_progress;  // pairs
};

// The statistics of the bitext by entry of the aligner's lexicon, whose words must include the
// bitext's. Empty: stopped.
std::optional<TextStatistics> count_statistics(const Bitext& bitext, const WordAligner& aligner,
                                               const CountOptions& options);

}  // namespace trellis::align
