// Finds the links of a pair: from the posteriors of the generative model (decoding.h), or by
// weights learned from links (supervised/). Const and thread-safe for distinct scratch.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/labelled_pairs.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/align/supervised/supervised_aligner.h"
#include "trellis/tasks/search_counts.h"

namespace trellis::align {

// Options of decoding; the model has the defaults.
struct DecodingOptions {
  std::optional<Combination> combination;
  std::optional<Decode> decode;
  std::optional<double> threshold;
  std::optional<double> offset;       // added to the offset of a model that has learned from links
  std::optional<Index> search_limit;  // for models with a quadratic shape

  // `model` with these options. Throws UsageError if they do not fit together.
  Decoding over(const Decoding& model) const;
};

class PairAligner {
 public:
  struct Scratch {
    DecodeScratch posteriors;
    SupervisedAligner::Scratch links;
    RankedLinks found;
    std::vector<WordId> source, target;  // words of the last pair
  };

  // The model must outlive the object. Throws UsageError for options that it does not support.
  explicit PairAligner(const AlignModel& model, const DecodingOptions& said = {});

  const AlignModel& model() const { return *model_; }
  const Decoding& decoding() const { return decoding_; }  // for posteriors
  // Null if the model has not learned from links.
  const SupervisedAligner* supervised() const { return supervised_ ? &*supervised_ : nullptr; }
  std::string describe() const;  // "product, threshold 0.3", "M+F, offset +0.1"

  // The files in the model's order of aligners. Throws UsageError if an aligner is missing or
  // unknown; likewise for tags.
  ExtraFiles in_order(ExtraFiles files) const;

  // If the model has learned from links, likelihood.forward is the score.
  void align(const SentencePair& pair, const PairExtras& extras, Scratch& scratch,
             AlignedLinks& found) const;
  // Whether finding the best links is a search with a limit.
  bool searches() const { return supervised_ && supervised_->learned().shape.quadratic; }

 private:
  const AlignModel* model_;
  Decoding decoding_;
  std::optional<SupervisedAligner> supervised_;
};

// The links of all pairs.
std::vector<AlignedLinks> align_all(const PairAligner& aligner, const LabelledPairs& pairs,
                                    int threads);

struct Evaluation {
  AlignmentScores scores;
  std::optional<SearchCounts> search;  // if the model searches

  // The keys of AlignmentScores; not_proven and largest_gap if the model searches.
  Value record(bool per_sentence = false) const;
  std::string to_text(bool per_sentence = false) const;
};
Evaluation evaluate(const PairAligner& aligner, const LabelledPairs& pairs, int threads);

}  // namespace trellis::align
