// The part model of structures whose parts carry feature vectors: cuts, matchings, trees. F_i is a
// stack of blocks (feature_block.h), and costs are linear in the parts.
//
// A cut, for instance: a block of node features with scale 1, and one of edge features (≥ 0) with
// scale −1 on the disagreements, whose weights must stay ≥ 0 (Lacoste-Julien 2009, sec. 2.2.2). A
// matching: one block over its edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/feature_block.h"
#include "trellis/structure/structure.h"

namespace trellis {

template <class S>
struct BlockExample {
  S structure;  // what it refers to must outlive the model
  typename S::Output gold;
  std::vector<FeatureBlock> blocks;  // by weight_begin, without overlap
  std::vector<double> costs;         // p_i: cost(y, y_i) = p_i·(z(y) − z(y_i))
  double weight = 1;
};

template <class S>
class BlockModel {
 public:
  using Structure = S;
  struct Workspace {
    std::vector<std::uint32_t> distinct;
  };

  // Throws UsageError for blocks and costs that do not fit the structure or the dimension. True
  // outputs are taken to be legal.
  BlockModel(Index dimension, std::vector<BlockExample<S>> examples,
             std::vector<WeightRange> nonnegative = {})
      : dimension_(dimension),
        examples_(std::move(examples)),
        nonnegative_(std::move(nonnegative)) {
    for (const BlockExample<S>& example : examples_) require_fit(example);
  }

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return dimension_; }
  std::span<const WeightRange> nonnegative() const { return nonnegative_; }
  double example_weight(Index i) const { return examples_[i].weight; }
  const S& structure(Index i) const { return examples_[i].structure; }
  const typename S::Output& gold(Index i) const { return examples_[i].gold; }
  const BlockExample<S>& example(Index i) const { return examples_[i]; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    std::fill(s.begin(), s.end(), 0.0);
    for (const FeatureBlock& block : examples_[i].blocks) block.add_scores(w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    const std::vector<double>& costs = examples_[i].costs;
    for (Index p = 0; p < s.size(); ++p) s[p] += scale * costs[p];
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    for (const FeatureBlock& block : examples_[i].blocks) block.add_features(z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    slope.clear();
    for (const FeatureBlock& block : examples_[i].blocks) {
      block.append_features(z, scale, workspace.distinct, slope);
    }
  }

 private:
  void require_fit(const BlockExample<S>& example) const {
    const Index parts = example.structure.num_parts();
    if (example.costs.size() != parts) throw UsageError("expected one cost per part");
    Index end = 0;
    for (const FeatureBlock& block : example.blocks) {
      if (block.weight_begin < end || block.weight_end() > dimension_) {
        throw UsageError("feature blocks must be disjoint, ascending and within the weights");
      }
      if (block.part_end() > parts) throw UsageError("a feature block reaches beyond the parts");
      end = block.weight_end();
    }
  }

  Index dimension_;
  std::vector<BlockExample<S>> examples_;
  std::vector<WeightRange> nonnegative_;
};

// The parts' costs of (weighted) Hamming distance for 0/1 parts z_p: c⁺ for a part too many, c⁻ for
// one that is missing; constants aside, p = c⁺ − (c⁻ + c⁺) z(y_i)  (Lacoste-Julien 2009, eq. 2.10).
inline void hamming_costs(std::span<const double> truth, double false_positive,
                          double false_negative, std::span<double> costs) {
  for (Index p = 0; p < costs.size(); ++p) {
    costs[p] = truth[p] > 0 ? -false_negative : false_positive;
  }
}

}  // namespace trellis
