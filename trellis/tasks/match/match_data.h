// The data of `trellis match`: bipartite graphs with features on their edges, from graph files
// (bipartite_file.h) or from pairs of shapes (pair_list.h), whose graphs are complete.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/graphs/bipartite_file.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/match/edge_features.h"
#include "trellis/tasks/match/pair_list.h"

namespace trellis::match {

// The features of a model's weights.
class MatchFeatures {
 public:
  static MatchFeatures of_graphs(GraphFeatures graphs, Cover cover);
  // For partial matchings there is a bias after the bins.
  static MatchFeatures of_pairs(const ContextOptions& contexts, Cover cover);

  bool pairs() const { return pairs_; }
  Cover cover() const { return cover_; }
  const GraphFeatures& graphs() const { return graphs_; }
  const ContextOptions& contexts() const { return contexts_; }
  Index dimension() const;
  std::string weight_name(Index k) const;

 private:
  bool pairs_ = false;
  Cover cover_ = Cover::kPerfect;
  GraphFeatures graphs_;
  ContextOptions contexts_;
};

struct MatchExample {
  // Pairs of shapes with more edges are refused: the scores of the edges alone take 128 MB.
  static constexpr Index kMostEdges = Index{1} << 24;

  std::string name;
  std::string file;  // for messages; may be empty
  Index line = 0;
  Index num_left = 0;
  Index num_right = 0;
  std::shared_ptr<const MatchingEdges> edges;  // null: all pairs of nodes
  EdgeFeatures features;
  Matching::Output gold;                 // of each left node; empty if unknown
  std::shared_ptr<const PointSet> left;  // the shapes of a pair; null for a graph
  std::shared_ptr<const PointSet> right;

  Matching structure(Cover cover) const;
  Index smaller_side() const { return std::min(num_left, num_right); }
  // The names of nodes in the data: ids of points, numbers of nodes.
  std::int64_t left_name(Index i) const;
  std::int64_t right_name(Index j) const;
};

// A training set.
struct MatchData {
  MatchFeatures features;
  std::vector<MatchExample> examples;
};

// Graphs or pairs of shapes with a known truth. Throw InputError for invalid files, and for a truth
// that does not cover the smaller side although the cover requires it.
MatchData graph_data(std::vector<InputFile> files, Cover cover);
MatchData pair_data(std::span<const ShapePair> pairs, const ContextOptions& contexts, Cover cover,
                    int threads);
// The same with the features of a model.
std::vector<MatchExample> graph_examples(std::vector<InputFile> files,
                                         const MatchFeatures& features);
std::vector<MatchExample> pair_examples(std::span<const ShapePair> pairs,
                                        const MatchFeatures& features, int threads);
// Reads graph files, or lists of pairs.
MatchData read_training_data(const std::vector<std::string>& files, bool pairs,
                             const ContextOptions& contexts, Cover cover, int threads);
std::vector<MatchExample> read_examples(const std::vector<std::string>& files,
                                        const MatchFeatures& features, int threads);
// The same without a model; the truth may cover any nodes.
std::vector<MatchExample> read_truths(const std::vector<std::string>& files, bool pairs,
                                      const ContextOptions& contexts, int threads);

// An example without a known truth. Throws InputError for a graph without a matching that covers
// its smaller side, if the cover requires one.
MatchExample unlabelled_example(GraphRecord graph, const MatchFeatures& features);
MatchExample unlabelled_example(const ShapePair& pair, const MatchFeatures& features);
// The features of a model for readers: nothing is added.
GraphFeatures frozen(GraphFeatures features);

// Digest of everything that determines training.
std::uint64_t digest(std::span<const MatchExample> examples);

}  // namespace trellis::match
