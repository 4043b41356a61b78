// An aligner that has learned from links, ready for use: a generative model gives the features of a
// pair, weights score them, and the structure finds the best links. Const and thread-safe for
// distinct scratch.
#pragma once

#include <vector>

#include "trellis/formats/links/bitext_reader.h"
#include "trellis/tasks/align/features/alignment_features.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/align/pair_extras.h"
#include "trellis/tasks/align/supervised/link_decoder.h"

namespace trellis::align {

class SupervisedAligner {
 public:
  struct Scratch {
    AlignmentFeatures::Scratch features;
    LinkDecoder::Scratch decoder;
  };

  // Requires a model that has learned from links and that outlives the object. `more` is added to
  // its offset. Throws InputError if the weights do not match the features.
  explicit SupervisedAligner(const AlignModel& model, double more = 0,
                             Index search_limit = kSearchLimit);

  const LinkWeights& learned() const { return *learned_; }
  const AlignmentFeatures& features() const { return features_; }
  const WeightLayout& layout() const { return layout_; }
  const LinkDecoder& decoder() const { return decoder_; }

  LinkParts parts(const SentencePair& pair, const PairExtras& extras, Scratch& scratch) const;
  void align(const SentencePair& pair, const PairExtras& extras, Scratch& scratch,
             RankedLinks& found) const;
  void k_best(const SentencePair& pair, const PairExtras& extras, Index k, Scratch& scratch,
              std::vector<RankedLinks>& found) const;

 private:
  const LinkWeights* learned_;
  AlignmentFeatures features_;
  WeightLayout layout_;
  LinkDecoder decoder_;
};

}  // namespace trellis::align
