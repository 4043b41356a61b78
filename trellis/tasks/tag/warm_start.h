// Weights to start from, out of an older model: features and labels that both have keep their
// weight, new ones begin at 0, old ones that the new data does not have are dropped.
#pragma once

#include <span>
#include <vector>

#include "trellis/problem/chain/chain_features.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::tag {

// The weight vector of `chain` that says what `model` says. `node_ids` and `edge_ids` are the rows
// of the training set's attributes. Requires a model without voters.
std::vector<double> warm_weights(const TagModel& model, const TrainingSet& set,
                                 const ChainFeatures& chain, std::span<const AttributeId> node_ids,
                                 std::span<const AttributeId> edge_ids);

}  // namespace trellis::tag
