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

class HeldOut {
 public:
  // Attributes are numbered as in the training set, then by `node_ids` and `edge_ids`; those that
  // it does not know are left out. `features` and `set` must outlive the object. Throws InputError,
  // e.g. when the file has other columns than the training set.
  HeldOut(const std::string& file, const FeatureTemplate& features, const TrainingSet& set,
          std::span<const AttributeId> node_ids, std::span<const AttributeId> edge_ids);

  Index num_sequences() const { return gold_.size(); }
  // A fingerprint of all that was read.
  std::uint64_t digest() const { return digest_; }
  // Labels of the file that no training sequence has, each once.
  const std::vector<std::string>& unseen_labels() const { return unseen_labels_; }

  // Throws InputError where the chain allows no labels at all for a sequence.
  TagScores evaluate(const ChainFeatures& chain, std::span<const double> w, int threads) const;

 private:
  void add(const TagSequence& sequence, const FeatureTemplate& features,
           std::span<const AttributeId> node_ids, std::span<const AttributeId> edge_ids);
  void note_unseen();

  const TrainingSet* set_;
  AttributeStore nodes_;
  AttributeStore edges_;
  std::string file_;
  std::vector<std::vector<std::string>> gold_;
  std::vector<Index> first_lines_;
  std::vector<std::string> unseen_labels_;
  std::uint64_t digest_ = 0;
  FeatureTemplate::Scratch scratch_;
  SentenceAttributes attributes_;
};

}  // namespace trellis::tag
