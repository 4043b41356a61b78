// Links of new sentence pairs, written as they are read; and how good they are, where they are
// known.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/align/output/link_writer.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

// What was said of how links are shown; what was not, is the model's.
struct DecodingOptions {
  std::optional<Combination> combination;
  std::optional<Decode> decode;
  std::optional<double> threshold;

  // Throws UsageError for what does not go together.
  Decoding over(const Decoding& model) const;
};

struct PredictOptions {
  DecodingOptions decoding;
  LinkWritingOptions writing;
  bool scores = false;  // a line is followed by a tab and log p(f | e), log p(e | f)
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

UnknownWords predict(const AlignModel& model, const BitextFiles& files,
                     const PredictOptions& options, OutputFile& out);

// The links of all pairs.
std::vector<AlignedLinks> align_all(const AlignModel& model, const std::vector<SentencePair>& pairs,
                                    const Decoding& decoding, int threads);
// How likely each link of a pair is, as weigh_links() has it.
std::vector<ScoredLink> weigh_links(const AlignModel& model, const SentencePair& pair,
                                    const Decoding& decoding, double least);
AlignmentScores evaluate(const AlignModel& model, const GoldPairs& gold, const Decoding& decoding,
                         int threads);

}  // namespace trellis::align
