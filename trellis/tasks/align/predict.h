// Predicts the links of new sentence pairs; writes each pair as soon as it is read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/links/link_writer.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/pair_aligner.h"
#include "trellis/tasks/align/pair_extras.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

struct PredictOptions {
  LinkWritingOptions writing;
  ExtraFiles extras;    // in the model's order: PairAligner::in_order()
  Index nbest = 0;      // alignments per pair, for models that have learned from links
  bool scores = false;  // add a tab and log p(f | e), log p(e | f), or the score, to each line
  bool json = false;    // one object per pair
  bool at_once = false;
  int threads = 0;
  // If set, receives each pair with its links, in order.
  std::function<void(const SentencePair&, const AlignedLinks&)> on_pair = {};
};

// Words of the text that the model does not know; the aligner places them by their neighbours.
struct UnknownWords {
  Index source = 0, source_tokens = 0;
  Index target = 0, target_tokens = 0;

  std::vector<std::string> warnings() const;  // a warning if most words are unknown
};

struct PredictCounts {
  UnknownWords unknown;
  SearchCounts search;
};
PredictCounts predict(const PairAligner& aligner, const BitextFiles& files,
                      const PredictOptions& options, OutputFile& out);

// The probability of each link of a pair, as by weigh_links() of decoding.h.
std::vector<ScoredLink> weigh_links(const AlignModel& model, const SentencePair& pair,
                                    const Decoding& decoding, double least);

}  // namespace trellis::align
