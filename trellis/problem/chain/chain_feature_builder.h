// Chooses the features of a chain from a training set: which attributes are frequent enough, and
// which (attribute, label), (attribute, label pair) and label n-gram has a weight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/problem/chain/chain_examples.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/structure/sequences/chain_states.h"

namespace trellis {

// Which combinations get a weight: those that occur in the training set, or all.
enum class FeatureSet { kObserved, kAll };
constexpr auto names_of(FeatureSet) {
  return Names{"set of features", "observed", "all"};
}

struct ChainFeatureOptions {
  FeatureSet nodes = FeatureSet::kObserved;
  FeatureSet transitions = FeatureSet::kObserved;
  bool label_grams = true;      // weights for label n-grams (plain transitions)
  bool boundaries = true;       // … for those that start a sequence, and for stop labels
  std::uint64_t min_count = 1;  // attributes that occur less often are dropped
};

// The arrays behind AttributeRows.
struct RowStorage {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> targets;
  Index num_dense = 0;
  std::vector<std::uint64_t> masks;

  AttributeRows view(Index num_targets) const {
    return AttributeRows(begin, targets, num_targets, num_dense, masks);
  }
};

// Rows, n-grams, and the new number of each attribute (kNoAttribute: dropped).
struct ChosenChainFeatures {
  RowStorage node_rows;
  RowStorage edge_rows;
  GramWeights grams;
  std::vector<AttributeId> node_ids;
  std::vector<AttributeId> edge_ids;
};

// Calls examples.nodes().finish() and edges().finish() with the new numbers. Where labels are
// unknown, positions limited to a set count as observed with each of its labels, others with none.
ChosenChainFeatures choose_chain_features(const ChainStates& states,
                                          const ChainFeatureOptions& options,
                                          Index num_node_attributes, Index num_edge_attributes,
                                          ChainExamples& examples);

}  // namespace trellis
