// The part model of factor graphs (problem/part_model.h), over any structure that is made of a
// layout, or of a cover of it by forests, and has its parts: the graph itself, searched to the end
// or up to a limit; its relaxation; or one that sums.
//
// The cost is the number of wrong variables. It is linear in the parts: p = −1 on the state that
// truly is on, and 1 on a switch that truly is off.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/factors/forest_cover.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/structure.h"
#include "trellis/tasks/factors/feature_map.h"
#include "trellis/tasks/factors/graph_file.h"

namespace trellis::factors {

// The true output, as a structure has it: the values of variables, or a point of a relaxation.
template <class Output>
Output output_of(const FactorGraphLayout& layout, std::span<const std::uint32_t> values) {
  if constexpr (std::same_as<Output, std::vector<double>>) {
    Output z(layout.num_parts());
    layout.indicator(values, z);
    return z;
  } else {
    return Output(values.begin(), values.end());
  }
}

// s += scale · p
inline void add_hamming_costs(const FactorGraphLayout& layout, std::span<const std::uint32_t> gold,
                              double scale, std::span<double> s) {
  for (Index v = 0; v < layout.num_variables(); ++v) {
    if (!layout.is_switch(v)) {
      s[layout.state(v, gold[v])] -= scale;
    } else {
      s[layout.state(v, 0)] += gold[v] == 0 ? scale : -scale;
    }
  }
}

template <Structure S>
class GraphModel {
 public:
  using Structure = S;
  struct Workspace {
    std::vector<double> sums;
  };

  // The graphs, all of whose true values are known, must outlive the model.
  // `search_limit` is that of a LimitedSearch.
  GraphModel(std::span<const GraphRecord> graphs, Index dimension, Index search_limit = 0)
      : dimension_(dimension) {
    examples_.reserve(graphs.size());
    for (const GraphRecord& graph : graphs) {
      std::unique_ptr<const ForestCover> cover;
      const S structure = make_structure(graph.layout, search_limit, cover);
      examples_.push_back({&graph, FeatureMap(graph.rows), std::move(cover), structure,
                           output_of<typename S::Output>(graph.layout, graph.gold)});
    }
  }

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return dimension_; }
  double example_weight(Index) const { return 1; }
  const S& structure(Index i) const { return examples_[i].structure; }
  const typename S::Output& gold(Index i) const { return examples_[i].gold; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    examples_[i].features.scores(w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    const GraphRecord& graph = *examples_[i].graph;
    add_hamming_costs(graph.layout, graph.gold, scale, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    examples_[i].features.add_features(z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    examples_[i].features.features(z, scale, workspace.sums, slope);
  }

 private:
  // Of the layout, or of a cover that is made for it.
  static S make_structure(const FactorGraphLayout& layout, [[maybe_unused]] Index search_limit,
                          std::unique_ptr<const ForestCover>& cover) {
    if constexpr (std::constructible_from<S, const FactorGraphLayout&>) {
      return S(layout);
    } else if constexpr (std::constructible_from<S, const FactorGraph&, Index>) {
      return S(FactorGraph(layout), search_limit);
    } else {
      cover = std::make_unique<const ForestCover>(layout);
      return S(*cover);
    }
  }

  struct Example {
    const GraphRecord* graph;
    FeatureMap features;
    std::unique_ptr<const ForestCover> cover;  // none: the structure is of the layout
    S structure;
    typename S::Output gold;
  };

  Index dimension_;
  std::vector<Example> examples_;
};

}  // namespace trellis::factors
