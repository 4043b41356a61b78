// From a sentence pair to a LinkGraph: candidates for links, and what speaks for and against each,
// for a second link of a word, and for two links side by side. The list of features is that of the
// thesis, section 3.4.1, and of Taskar, Lacoste-Julien & Klein (2005), over a generative model of
// the house in the place of IBM's; link_features.h, word_features.h, pair_features.h and
// identity_features.h have them.
//
// Time: that of the posteriors of three aligners, and then O(I J + edges + pairs). No memory is
// taken for each edge; the rows of the graph are the caller's to keep. Same bits for any thread.
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

  // Shares what the model owns. Throws UsageError where it has no statistics, where a name of the
  // shape is listed twice or is empty, or where only one side has tags.
  AlignmentFeatures(const AlignModel& model, FeatureShape shape);

  const FeatureShape& shape() const { return shape_; }
  std::span<const std::string> link_names() const { return links_.names(); }
  std::span<const std::string> identity_names() const { return identities_.names(); }
  std::span<const std::string> word_names() const { return words_.names(); }
  std::span<const std::string> pair_names() const { return pairs_.names(); }

  // Either side may be empty. `with_pairs`: otherwise the graph has no pairs. Throws UsageError
  // where the extras are not those of the shape: the links of each external aligner, and a tag for
  // each word where it has tags. Thread-safe for distinct scratch.
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
