#include "trellis/tasks/segment/network_model.h"

#include "trellis/base/error.h"
#include "trellis/problem/part_model.h"

namespace trellis::segment {

static_assert(PartModel<NetworkModel>);

NodeCosts NodeCosts::balanced(std::span<const SegmentExample> examples) {
  double figure = 0;
  double nodes = 0;
  for (const SegmentExample& example : examples) {
    for (const std::uint8_t label : example.labels) figure += label;
    nodes += static_cast<double>(example.num_nodes);
  }
  if (figure == 0 || figure == nodes) {
    throw UsageError("--balanced requires both figure and ground in the training set");
  }
  return {nodes / (2 * (nodes - figure)), nodes / (2 * figure)};
}

NetworkModel::NetworkModel(const SegmentFeatures& features,
                           std::span<const SegmentExample> examples, const NodeCosts& costs)
    : features_(&features), examples_(examples), costs_(costs) {
  double nodes = 0;
  for (const SegmentExample& example : examples) {
    nodes += static_cast<double>(example.num_nodes);
    networks_.emplace_back(example.num_nodes, example.edges);
    gold_.emplace_back(example.labels.begin(), example.labels.end());
  }
  if (nodes > 0) weight_ = static_cast<double>(examples.size()) / nodes;
  if (features.num_edge_weights() > 0) {
    nonnegative_.push_back({features.num_node_weights(), features.dimension()});
  }
}

void NetworkModel::add_costs(Index i, double scale, std::span<double> s) const {
  const std::vector<std::uint8_t>& labels = examples_[i].labels;
  for (Index j = 0; j < labels.size(); ++j) {
    s[j] += scale * (labels[j] != 0 ? -costs_.missed_figure : costs_.false_figure);
  }
}

void NetworkModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                            SparseVector& slope) const {
  slope.clear();
  add_features(i, z, scale, slope.append(0, dimension()));
}

}  // namespace trellis::segment
