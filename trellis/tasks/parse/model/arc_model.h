// The part model of arc-factored parsing (McDonald, Crammer & Pereira 2005; Martins et al. 2010,
// sec. 5.2): a part is an arc with a label,
//
//   s(h, m, l) = Σ_f w_f [arc features of (h, m)]
//              + Σ_g w_gl [label features of (h, m), of m and the direction, of h and the
//              direction]
//
// over trees of any order of words (DependencyTree) or without crossings (ProjectiveTree). With
// order 2 pairs of arcs are parts as well, s(pair) = Σ_f w_f (HigherOrderTree). A word
// costs 1 where its head is wrong and kLabelCost where only its label is, which is linear in the
// parts.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/structure/trees/projective_tree.h"
#include "trellis/tasks/parse/model/arc_example.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/pair_inference.h"

namespace trellis::parse {

inline constexpr double kLabelCost = 0.5;
inline constexpr Index kMostLabels = 1024;  // their scores lie on the stack

// What does not depend on the structure.
class ArcWeights {
 public:
  struct Workspace {
    // By local number: kUntouched, or its place among the slope's values.
    std::vector<std::uint32_t> features, rows;
  };

  // num_labels ≤ kMostLabels.
  ArcWeights(const FeatureNumbers& numbers, Index num_labels)
      : numbers_(&numbers), num_labels_(num_labels) {}

  Index dimension() const { return numbers_->dimension(); }
  void scores(const ArcExample& example, std::span<const double> w, std::span<double> s) const;
  void add_features(const ArcExample& example, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(const ArcExample& example, std::span<const double> z, double scale,
                Workspace& workspace, SparseVector& slope) const;
  static void add_costs(const ArcExample& example, double scale, std::span<double> s);

 private:
  void write_runs(const ArcExample& example, std::span<const double> z, Workspace& workspace,
                  SparseVector& slope) const;

  const FeatureNumbers* numbers_;
  Index num_labels_;
};

template <class S>
class ArcModel {
 public:
  using Structure = S;
  using Workspace = ArcWeights::Workspace;

  // All but the limits, which are of second-order inference, must outlive the model. Every word's
  // gold part is one of its candidates.
  ArcModel(const ArcWeights& weights, std::span<const ArcExample> examples, Roots roots,
           const InferenceLimits& limits = {})
      : weights_(weights), examples_(examples), roots_(roots), limits_(limits) {
    if constexpr (!kGoldIsTree) {
      for (const ArcExample& example : examples) gold_.emplace_back(example.gold);
    }
  }

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return weights_.dimension(); }
  double example_weight(Index) const { return 1; }
  S structure(Index i) const { return structure_of<S>(examples_[i], roots_, limits_); }
  const typename S::Output& gold(Index i) const {
    if constexpr (kGoldIsTree) {
      return examples_[i].gold;
    } else {
      return gold_[i];
    }
  }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    weights_.scores(examples_[i], w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    ArcWeights::add_costs(examples_[i], scale, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    weights_.add_features(examples_[i], z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    weights_.features(examples_[i], z, scale, workspace, slope);
  }

 private:
  static constexpr bool kGoldIsTree = std::same_as<typename S::Output, std::vector<std::uint32_t>>;

  ArcWeights weights_;
  std::span<const ArcExample> examples_;
  Roots roots_;
  InferenceLimits limits_;
  std::vector<typename S::Output> gold_;  // where outputs are more than trees
};

}  // namespace trellis::parse
