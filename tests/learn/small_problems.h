// One small margin problem for each structure, with noise in its labels, so that the optimum is
// neither 0 nor at a corner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/learn/label_data.h"
#include "tests/problem/chain/random_chains.h"
#include "tests/structure/trees/forest_instance.h"
#include "trellis/base/random.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/structure/graphs/cut.h"
#include "trellis/structure/graphs/tree_mrf.h"
#include "trellis/structure/matchings/fertility_matching.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/matchings/quadratic_matching.h"
#include "trellis/structure/matchings/relaxed_quadratic_matching.h"
#include "trellis/structure/sets/pairwise_label_set.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/structure/trees/parse_forest.h"
#include "trellis/structure/trees/projective_tree.h"

namespace trellis::testing {

inline std::vector<float> normal_features(Index count, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

class SmallMulticlass {
 public:
  SmallMulticlass() : data_(options(), 3), model_(data_.model()) {}
  const MulticlassModel& model() const { return model_; }
  const LabelData& data() const { return data_; }

 private:
  static LabelDataOptions options() {
    LabelDataOptions options;
    options.num_examples = 15;
    return options;
  }
  LabelData data_;
  MulticlassModel model_;
};

// With a table of transitions at each position, so that parts are indicators.
class SmallChain {
 public:
  SmallChain() : chains_(options(), 21), model_(chains_.model()) {}
  const UntiedChainModel& model() const { return model_; }
  const RandomChains& chains() const { return chains_; }  // the same with tied tables

 private:
  static RandomChainOptions options() {
    RandomChainOptions options;
    options.order = 2;
    options.num_examples = 8;
    options.rules = true;
    options.set = FeatureSet::kAll;
    return options;
  }
  RandomChains chains_;
  UntiedChainModel model_;
};

// Five nodes of three labels each, with a table for every node and edge whose weights are shared.
class SmallTree {
 public:
  SmallTree() : model_(2 * kLabels + kLabels * kLabels, examples(layout_)) {}
  const BlockModel<TreeMrf>& model() const { return model_; }

 private:
  static constexpr Index kNodes = 5;
  static constexpr Index kLabels = 3;

  static std::vector<BlockExample<TreeMrf>> examples(const TreeMrfLayout& layout) {
    Random random(7);
    const Index edges = layout.edges().size();
    std::vector<BlockExample<TreeMrf>> examples;
    for (int i = 0; i < 8; ++i) {
      const TreeMrf tree(layout);
      const std::vector<float> features = normal_features(2 * kNodes, random);
      std::vector<double> costs(tree.num_parts(), 0.0);
      std::vector<Label> gold(kNodes);
      for (Index j = 0; j < kNodes; ++j) {
        const double mark = static_cast<double>(features[2 * j]) + 0.5 * random.normal();
        gold[j] = mark < -0.5 ? 0 : mark < 0.5 ? 1 : 2;
        for (Label y = 0; y < static_cast<Label>(kLabels); ++y) {
          costs[layout.node_part(j, y)] = y == gold[j] ? 0 : 1;
        }
      }
      examples.push_back(
          {tree,
           gold,
           {{FeatureRows::dense(2, features), 0, kLabels, 0, 1},
            {FeatureRows::constant(edges), kNodes * kLabels, kLabels * kLabels, 2 * kLabels, 1}},
           costs});
    }
    return examples;
  }

  TreeMrfLayout layout_{std::vector<Index>(kNodes, kLabels), {{0, 1}, {1, 2}, {1, 3}, {3, 4}}};
  BlockModel<TreeMrf> model_;
};

// Potts networks on 2 × 3 grids; the weights of the edge features must stay ≥ 0.
class SmallCut {
 public:
  SmallCut() : model_(4, examples(edges_), {{2, 4}}) {}
  const BlockModel<CutNetwork>& model() const { return model_; }

 private:
  static std::vector<BlockExample<CutNetwork>> examples(const std::vector<NodePair>& edges) {
    Random random(5);
    std::vector<BlockExample<CutNetwork>> examples;
    for (int i = 0; i < 8; ++i) {
      const CutNetwork network(6, edges);
      std::vector<Label> gold(6);
      std::vector<float> nodes = normal_features(12, random), links;
      for (Index j = 0; j < 6; ++j) {
        gold[j] = static_cast<double>(nodes[2 * j]) + 0.7 * random.normal() > 0 ? 1 : 0;
      }
      for (Index e = 0; e < edges.size(); ++e) {
        links.push_back(1);
        links.push_back(static_cast<float>(random.uniform()));
      }
      std::vector<double> costs(network.num_parts(), 0.0);
      for (Index j = 0; j < 6; ++j) costs[network.node_part(j)] = gold[j] == 1 ? -1 : 1;
      examples.push_back({network,
                          gold,
                          {{FeatureRows::dense(2, nodes), 0, 1, 0, 1},
                           {FeatureRows::dense(2, links), 6, 1, 2, -1}},
                          costs});
    }
    return examples;
  }

  std::vector<NodePair> edges_ = {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}};
  BlockModel<CutNetwork> model_;
};

// A structure whose parts have three features each, where the truth is the best output of noisy
// scores and the cost counts wrong parts.
template <class S>
class SmallParts {
 public:
  explicit SmallParts(const S& structure) : model_(kFeatures, examples(structure)) {}
  const BlockModel<S>& model() const { return model_; }

 private:
  static constexpr Index kFeatures = 3;

  static std::vector<BlockExample<S>> examples(const S& structure) {
    Random random(6);
    const Index parts = structure.num_parts();
    std::vector<BlockExample<S>> examples;
    typename S::Scratch scratch;
    for (int i = 0; i < 8; ++i) {
      const std::vector<float> features = normal_features(kFeatures * parts, random);
      std::vector<double> s(parts), truth(parts), costs(parts);
      for (Index p = 0; p < parts; ++p) {
        s[p] = static_cast<double>(features[kFeatures * p]) + 0.7 * random.normal();
      }
      typename S::Output gold;
      structure.maximize(s, scratch, gold);
      structure.indicator(gold, truth);
      hamming_costs(truth, 1, 1, costs);
      examples.push_back(
          {structure, gold, {{FeatureRows::dense(kFeatures, features), 0, 1, 0, 1}}, costs});
    }
    return examples;
  }

  BlockModel<S> model_;
};

// Sentences of four words, with two labels for the arcs of the second word; one word hangs on the
// root.
template <class Tree>
class SmallDependencies {
 public:
  const BlockModel<Tree>& model() const { return parts_.model(); }

 private:
  static std::vector<DependencyArc> arcs() {
    std::vector<DependencyArc> all;
    for (std::uint32_t m = 1; m <= 4; ++m) {
      for (std::uint32_t h = 0; h <= 4; ++h) {
        if (h != m) all.insert(all.end(), m == 2 ? 2 : 1, DependencyArc{h, m});
      }
    }
    return all;
  }

  DependencyArcs arcs_{4, arcs()};
  SmallParts<Tree> parts_{Tree(arcs_, Roots::kOne)};
};

// The chart of three words under all rules of two symbols, binary and unary.
class SmallForest {
 public:
  const BlockModel<ParseForest>& model() const { return parts_.model(); }

 private:
  static PackedForest chart() {
    Random random(10);
    return conformance::draw_forest({}, random);
  }

  PackedForest chart_ = chart();
  SmallParts<ParseForest> parts_{ParseForest(chart_)};
};

// Links between three and four words of up to three each. The features of fertilities grow with d,
// and their weights must stay ≥ 0.
class SmallFertility {
 public:
  SmallFertility() : model_(5, examples(FertilityMatching(edges_, kMostLinks)), {{3, 5}}) {}
  const BlockModel<FertilityMatching>& model() const { return model_; }

 private:
  static constexpr Index kLeft = 3, kRight = 4, kMostLinks = 3;

  static std::vector<BlockExample<FertilityMatching>> examples(const FertilityMatching& structure) {
    Random random(9);
    const Index edges = structure.num_edges();
    std::vector<BlockExample<FertilityMatching>> examples;
    FertilityMatching::Scratch scratch;
    for (int i = 0; i < 8; ++i) {
      const std::vector<float> links = normal_features(3 * edges, random);
      std::vector<float> words;  // those of a second link, and what a third one adds
      std::vector<double> s(edges), costs(structure.num_parts(), 0.0);
      for (Index e = 0; e < edges; ++e) {
        s[e] = static_cast<double>(links[3 * e]) + 0.7 * random.normal();
      }
      for (Index node = 0; node < kLeft + kRight; ++node) {
        const auto second = static_cast<float>(random.uniform()), third = 0.5F;
        words.insert(words.end(), {second, 0, second, third});
        s.insert(s.end(), {-random.uniform(), -1 - random.uniform()});
      }
      FertilityMatching::Output gold;
      structure.maximize(s, scratch, gold);
      for (Index e = 0; e < edges; ++e) costs[e] = 1;
      for (const std::uint32_t e : gold) costs[e] = -1;
      examples.push_back({structure,
                          gold,
                          {{FeatureRows::dense(3, links), 0, 1, 0, 1},
                           {FeatureRows::dense(2, words), edges, 1, 3, -1}},
                          costs});
    }
    return examples;
  }

  static std::vector<MatchingEdges::Edge> pairs() {
    std::vector<MatchingEdges::Edge> all;
    for (std::uint32_t i = 0; i < kLeft; ++i) {
      for (std::uint32_t j = 0; j < kRight; ++j) {
        if (i + j != 3) all.push_back({i, j});
      }
    }
    return all;
  }

  MatchingEdges edges_{kLeft, kRight, pairs()};
  BlockModel<FertilityMatching> model_;
};

// Five labels, four pairs of which attract each other with weights that must stay ≥ 0.
class SmallPairwiseLabels {
 public:
  SmallPairwiseLabels() : model_(4, examples(PairwiseLabelSet(kLabels, pairs_)), {{2, 4}}) {}
  const BlockModel<PairwiseLabelSet>& model() const { return model_; }

 private:
  static constexpr Index kLabels = 5;

  static std::vector<BlockExample<PairwiseLabelSet>> examples(const PairwiseLabelSet& structure) {
    Random random(8);
    const Index pairs = structure.num_parts() - kLabels;
    std::vector<BlockExample<PairwiseLabelSet>> examples;
    for (int i = 0; i < 8; ++i) {
      const std::vector<float> nodes = normal_features(2 * kLabels, random);
      std::vector<float> links(2 * pairs);
      for (float& link : links) link = static_cast<float>(random.uniform());
      std::vector<Label> gold(kLabels);
      std::vector<double> costs(structure.num_parts(), 0.0);
      for (Index v = 0; v < kLabels; ++v) {
        gold[v] = static_cast<double>(nodes[2 * v]) + 0.7 * random.normal() > 0 ? 1 : 0;
        costs[v] = gold[v] == 1 ? -1 : 1;
      }
      examples.push_back({structure,
                          gold,
                          {{FeatureRows::dense(2, nodes), 0, 1, 0, 1},
                           {FeatureRows::dense(2, links), kLabels, 1, 2, 1}},
                          costs});
    }
    return examples;
  }

  std::vector<NodePair> pairs_ = {{0, 1}, {0, 2}, {1, 2}, {3, 4}};
  BlockModel<PairwiseLabelSet> model_;
};

// Quadratic matchings of 2 × 3 nodes with up to two links each, exact or relaxed: the weights of
// second links and of pairs must stay ≥ 0.
template <class S>
class SmallQuadratic {
 public:
  SmallQuadratic() : model_(5, examples({graph_, 2, pairs_}), {{2, 5}}) {}
  const BlockModel<S>& model() const { return model_; }

 private:
  static std::vector<BlockExample<S>> examples(const QuadraticMatching& exact) {
    Random random(9);
    const QuadraticParts& parts = exact.parts();
    const Index edges = parts.num_edges();
    QuadraticMatching::Scratch scratch;
    std::vector<BlockExample<S>> examples;
    for (int i = 0; i < 8; ++i) {
      const std::vector<float> links = normal_features(2 * edges, random);
      std::vector<float> pairs(2 * exact.pairs().size());
      for (float& pair : pairs) pair = static_cast<float>(random.uniform());
      std::vector<double> s(exact.num_parts(), 0.0), z(s.size()), costs(s.size(), 0.0);
      for (Index e = 0; e < edges; ++e) {
        s[e] = static_cast<double>(links[2 * e]) + 0.7 * random.normal();
      }
      for (Index p = edges; p < parts.first_pair(); ++p) s[p] = -0.5;
      for (Index p = parts.first_pair(); p < s.size(); ++p) s[p] = 0.4 * random.uniform();
      QuadraticMatching::Output gold;
      exact.maximize(s, scratch, gold);
      exact.indicator(gold, z);
      hamming_costs(std::span(z).first(edges), 1, 1, std::span(costs).first(edges));
      const FeatureRows second = FeatureRows::constant(parts.first_pair() - edges);
      examples.push_back({S(exact),
                          output_of(S(exact), gold, z),
                          {{FeatureRows::dense(2, links), 0, 1, 0, 1},
                           {second, edges, 1, 2, -1},
                           {FeatureRows::dense(2, pairs), parts.first_pair(), 1, 3, 1}},
                          costs});
    }
    return examples;
  }

  static QuadraticMatching::Output output_of(const QuadraticMatching&,
                                             const QuadraticMatching::Output& y,
                                             const std::vector<double>&) {
    return y;
  }
  static RelaxedQuadraticMatching::Output output_of(const RelaxedQuadraticMatching&,
                                                    const QuadraticMatching::Output&,
                                                    const std::vector<double>& z) {
    return z;
  }

  std::vector<MatchingEdges::Edge> edges_ = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
  MatchingEdges graph_{2, 3, edges_};
  std::vector<EdgePair> pairs_ = {{0, 1}, {0, 3}, {0, 4}, {1, 3}, {1, 5}, {2, 4}, {4, 5}};
  BlockModel<S> model_;
};

}  // namespace trellis::testing
