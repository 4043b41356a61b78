// A labelled file that training watches: read once, decoded after each epoch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/structure/chain.h"
#include "trellis/structure/chain_scratch.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::tag {

// The file as it was read.
struct HeldOutSentences {
  std::string file;
  std::vector<SentenceAttributes> attributes;
  std::vector<std::vector<std::string>> gold;
  std::vector<Index> first_lines;
  std::uint64_t digest = 0;  // a fingerprint of all that was read
};
// Throws InputError, e.g. when the file has other columns than the training set.
HeldOutSentences read_held_out(InputFile file, const FeatureTemplate& features,
                               const TrainingSet& set);

class HeldOut {
 public:
  // Attributes are numbered as in the training set, then by `node_ids` and `edge_ids`; those that
  // it does not know are left out. `sentences` and `set` must outlive the object.
  HeldOut(const HeldOutSentences& sentences, const TrainingSet& set,
          std::span<const AttributeId> node_ids, std::span<const AttributeId> edge_ids);

  Index num_sequences() const { return sentences_->gold.size(); }
  // Labels of the file that no training sequence has, each once.
  const std::vector<std::string>& unseen_labels() const { return unseen_labels_; }

  // Throws InputError where the chain allows no labels at all for a sequence.
  TagScores evaluate(const ChainFeatures& chain, std::span<const double> w, int threads) const;

 private:
  void note_unseen();

  const HeldOutSentences* sentences_;
  const TrainingSet* set_;
  AttributeStore nodes_;
  AttributeStore edges_;
  std::vector<std::string> unseen_labels_;
};

}  // namespace trellis::tag
