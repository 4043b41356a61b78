// The part model of segmentation: a cut network for each picture or graph, features as in
// segment_features.h, and Hamming costs, in which a missed figure and a false one may differ.
//
// All examples have the weight 1 / (mean number of nodes), so that (1/n) Σ L_i is a bound on the
// share of wrong nodes, whatever the size of the pictures. (problem/block_model.h would do, but for
// its rows of features: those of a pixel are computed here, see feature_tables.h.)
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"
#include "trellis/structure/graphs/cut.h"
#include "trellis/tasks/segment/segment_example.h"
#include "trellis/tasks/segment/segment_features.h"

namespace trellis::segment {

struct NodeCosts {
  double false_figure = 1;
  double missed_figure = 1;

  // Costs under which figure and ground weigh the same in all, and 1 per node in the mean.
  static NodeCosts balanced(std::span<const SegmentExample> examples);
};

class NetworkModel {
 public:
  using Structure = CutNetwork;
  struct Workspace {};

  // Both must outlive the model; all labels are known.
  NetworkModel(const SegmentFeatures& features, std::span<const SegmentExample> examples,
               const NodeCosts& costs = {});

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return features_->dimension(); }
  std::span<const WeightRange> nonnegative() const { return nonnegative_; }
  double example_weight(Index) const { return weight_; }
  const CutNetwork& structure(Index i) const { return networks_[i]; }
  const CutNetwork::Output& gold(Index i) const { return gold_[i]; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    features_->scores(examples_[i], w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    features_->add_features(examples_[i], z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace&,
                SparseVector& slope) const;

 private:
  const SegmentFeatures* features_;
  std::span<const SegmentExample> examples_;
  NodeCosts costs_;
  double weight_ = 1;
  std::vector<CutNetwork> networks_;
  std::vector<CutNetwork::Output> gold_;
  std::vector<WeightRange> nonnegative_;
};

}  // namespace trellis::segment
