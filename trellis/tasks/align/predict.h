// Links of new sentence pairs, written as they are read.
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
  ExtraFiles extras;    // as the model asks for them: PairAligner::in_order()
  Index nbest = 0;      // so many alignments of each pair, of a model that has learned from links
  bool scores = false;  // a line is followed by a tab and log p(f | e), log p(e | f), or the score
  bool json = false;    // an object a pair
  bool at_once = false;
  int threads = 0;
  // Is shown each pair and its links, in their order, where it is given.
  std::function<void(const SentencePair&, const AlignedLinks&)> on_pair = {};
};

// New words of the text, which the aligner places by their neighbours.
struct UnknownWords {
  Index source = 0, source_tokens = 0;
  Index target = 0, target_tokens = 0;

  std::vector<std::string> warnings() const;  // where most words are unknown
};

struct PredictCounts {
  UnknownWords unknown;
  SearchCounts search;
};
PredictCounts predict(const PairAligner& aligner, const BitextFiles& files,
                      const PredictOptions& options, OutputFile& out);

// How likely each link of a pair is, as decoding.h's weigh_links() has it.
std::vector<ScoredLink> weigh_links(const AlignModel& model, const SentencePair& pair,
                                    const Decoding& decoding, double least);

}  // namespace trellis::align
