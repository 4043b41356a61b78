// How a model finds the links of a pair: from the posteriors of the generative model
// (decoding.h), or by what it has learned from links (supervised/). Const and thread-safe for
// distinct scratch.
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

// What was said of how links are shown; what was not, is the model's.
struct DecodingOptions {
  std::optional<Combination> combination;
  std::optional<Decode> decode;
  std::optional<double> threshold;
  std::optional<double> offset;  // of models that have learned from links: added to the model's
  std::optional<Index> search_limit;  // of models with a quadratic shape

  // Throws UsageError for what does not go together.
  Decoding over(const Decoding& model) const;
};

class PairAligner {
 public:
  struct Scratch {
    DecodeScratch posteriors;
    SupervisedAligner::Scratch links;
    RankedLinks found;
    std::vector<WordId> source, target;  // the words of the last pair
  };

  // The model must outlive it. Throws UsageError for what is not the model's to do.
  explicit PairAligner(const AlignModel& model, const DecodingOptions& said = {});

  const AlignModel& model() const { return *model_; }
  const Decoding& decoding() const { return decoding_; }  // of posteriors
  // Null: the model knows of no links.
  const SupervisedAligner* supervised() const { return supervised_ ? &*supervised_ : nullptr; }
  std::string describe() const;  // "product, threshold 0.3", "M+F, offset +0.1"

  // The files in the order in which the model knows the aligners. Throws UsageError where one is
  // missing, or is not known, and likewise for tags.
  ExtraFiles in_order(ExtraFiles files) const;

  // Of what was learned from links, likelihood.forward is the score.
  void align(const SentencePair& pair, const PairExtras& extras, Scratch& scratch,
             AlignedLinks& found) const;
  // Whether the best links are searched for, up to a limit.
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
  std::optional<SearchCounts> search;  // where the model searches

  // AlignmentScores', and not_proven and largest_gap where the model searches.
  Value record(bool per_sentence = false) const;
  std::string to_text(bool per_sentence = false) const;
};
Evaluation evaluate(const PairAligner& aligner, const LabelledPairs& pairs, int threads);

}  // namespace trellis::align
