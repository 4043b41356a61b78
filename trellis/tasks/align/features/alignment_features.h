// From a sentence pair to a LinkGraph: candidate links, and features of each candidate, of a second
// link of a word, and of two neighbouring links. The features are those of the thesis, section
// 3.4.1, and of Taskar, Lacoste-Julien & Klein (2005), with a generative model of this library
// instead of IBM's. They are listed in link_features.h, word_features.h, pair_features.h and
// identity_features.h.
//
// Time: that of the posteriors of three aligners, plus O(I J + edges + pairs). Allocates no memory
// per edge; the caller owns the rows of the graph. The same bits for any number of threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/formats/links/bitext_reader.h"
#include "trellis/tasks/align/features/candidates.h"
#include "trellis/tasks/align/features/generative_views.h"
#include "trellis/tasks/align/features/identity_features.h"
#include "trellis/tasks/align/features/link_features.h"
#include "trellis/tasks/align/features/link_graph.h"
#include "trellis/tasks/align/features/pair_evidence.h"
#include "trellis/tasks/align/features/pair_features.h"
#include "trellis/tasks/align/features/word_features.h"
#include "trellis/tasks/align/features/word_knowledge.h"
#include "trellis/tasks/align/model/align_model.h"
#include "trellis/tasks/align/model/feature_shape.h"
#include "trellis/tasks/align/pair_extras.h"

namespace trellis::align {

class AlignmentFeatures {
 public:
  struct Scratch {
    GenerativeViews::Scratch views;
    PairEvidence evidence;
    Candidates candidates;
    LinkFeatures::Scratch links;
    WordFeatures::Scratch words;
    IdentityFeatures::Scratch identities;
  };

  // Shares what the model owns. Throws UsageError if the model has no statistics, a name of the
  // shape is empty or listed twice, or only one side has tags.
  AlignmentFeatures(const AlignModel& model, FeatureShape shape);

  const FeatureShape& shape() const { return shape_; }
  std::span<const std::string> link_names() const { return links_.names(); }
  std::span<const std::string> identity_names() const { return identities_.names(); }
  std::span<const std::string> word_names() const { return words_.names(); }
  std::span<const std::string> pair_names() const { return pairs_.names(); }

  // Either side may be empty. Without `with_pairs` the graph has no pairs. Throws UsageError if the
  // extras do not match the shape: links of each external aligner, and a tag for each word if there
  // are tags. Thread-safe for distinct scratch.
  void extract(const SentencePair& pair, const PairExtras& extras, bool with_pairs,
               Scratch& scratch, LinkGraph& graph) const;

 private:
  void gather(const SentencePair& pair, const PairExtras& extras, Scratch& scratch) const;

  FeatureShape shape_;
  std::shared_ptr<const AlignModel> model_;
  GenerativeViews views_;
  WordKnowledge source_, target_;
  LinkFeatures links_;
  WordFeatures words_;
  PairFeatures pairs_;
  IdentityFeatures identities_;
};

}  // namespace trellis::align
