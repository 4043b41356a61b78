// The part model of bipartite graphs (problem/part_model.h): part e is edge e, with its feature
// vector. The cost is the share of wrong nodes on the smaller side (match_scores.h), which is
// linear in the parts: with T the nodes of that side that have a true partner,
//
//   n · cost(y) = Σ_{u ∈ T} (1 − z_u,true(u)) + Σ_{u ∉ T} Σ_v z_uv
//
// so p = −1/n on the true edges, 1/n on all edges of nodes without a partner, and 0 elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/structure/structure.h"
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

// The vector p of an example whose truth is known.
std::vector<double> hamming_costs(const MatchExample& example);

// S is Matching, or a structure that is made from (num_left, num_right, edges or nullptr).
template <class S>
S structure_of(const MatchExample& example, Cover cover) {
  if constexpr (std::same_as<S, Matching>) {
    return example.structure(cover);
  } else {
    return S(example.num_left, example.num_right, example.edges.get());
  }
}

template <Structure S>
class GraphModel {
 public:
  using Structure = S;
  struct Workspace {
    std::vector<std::uint32_t> distinct;
  };

  // The examples must outlive the model.
  GraphModel(std::span<const MatchExample> examples, Index dimension, Cover cover)
      : dimension_(dimension) {
    for (const MatchExample& example : examples) {
      examples_.push_back({&example, structure_of<S>(example, cover), hamming_costs(example)});
    }
  }

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return dimension_; }
  double example_weight(Index) const { return 1; }
  const S& structure(Index i) const { return examples_[i].structure; }
  const typename S::Output& gold(Index i) const { return examples_[i].data->gold; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    std::fill(s.begin(), s.end(), 0.0);
    examples_[i].data->features.add_scores(w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    for (Index e = 0; e < s.size(); ++e) s[e] += scale * examples_[i].costs[e];
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    examples_[i].data->features.add_features(z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    examples_[i].data->features.features(z, scale, workspace.distinct, slope);
  }

 private:
  struct Example {
    const MatchExample* data;
    S structure;
    std::vector<double> costs;
  };

  Index dimension_;
  std::vector<Example> examples_;
};

}  // namespace trellis::match
