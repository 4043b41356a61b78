#include "trellis/tasks/match/match_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/solve/matchings/assignment.h"

namespace trellis::match {
namespace {

void require_truth(const MatchExample& example, Index num_matches, Cover cover) {
  const char* mark = example.left == nullptr ? "marked with '*'" : "with equal ids";
  if (cover == Cover::kPerfect && num_matches != example.smaller_side()) {
    throw InputError(
        example.file, example.line,
        fmt::format("expected a true match, {}, for each of the {} nodes of the smaller side of "
                    "'{}', found {}; if nodes may stay unmatched, train with --cover partial",
                    mark, example.smaller_side(), example.name, num_matches));
  }
}

void require_matching(const MatchExample& example) {
  if (example.edges == nullptr) return;
  AssignmentSolver solver;
  const std::vector<double> zeros(example.features.num_edges(), 0.0);
  if (solver.solve(example.edges->graph(), zeros, Cover::kPerfect)) return;
  throw InputError(
      example.file, example.line,
      fmt::format("no matching of the edges of '{}' covers its smaller side of {} nodes",
                  example.name, example.smaller_side()));
}

EdgeFeatures row_features(GraphRecord& graph, const GraphFeatures& features) {
  if (features.named) {
    return EdgeFeatures::of_rows(FeatureRows::sparse(features.names.size(), std::move(graph.begin),
                                                     std::move(graph.ids),
                                                     std::move(graph.values)));
  }
  return EdgeFeatures::of_rows(FeatureRows::dense(features.width, std::move(graph.values)));
}

MatchExample graph_example(GraphRecord graph, const GraphFeatures& features) {
  MatchExample example;
  example.name = std::move(graph.name);
  example.file = std::move(graph.file);
  example.line = graph.line;
  example.num_left = graph.num_left;
  example.num_right = graph.num_right;
  if (!graph.complete()) {
    std::vector<MatchingEdges::Edge> edges;
    edges.reserve(graph.edges.size());
    for (const BipartiteEdge& edge : graph.edges) edges.push_back({edge.left, edge.right});
    example.edges = std::make_shared<const MatchingEdges>(graph.num_left, graph.num_right, edges);
  }
  example.features = row_features(graph, features);
  return example;
}

std::vector<MatchExample> read_all(std::vector<InputFile> files, GraphFeatures& features,
                                   Cover cover) {
  std::vector<GraphRecord> graphs;
  for (InputFile& file : files) read_graphs(std::move(file), features, graphs);
  std::vector<MatchExample> examples;
  examples.reserve(graphs.size());
  for (GraphRecord& graph : graphs) {
    const Index num_matches = graph.num_matches;
    Matching::Output gold = std::move(graph.gold);
    examples.push_back(graph_example(std::move(graph), features));
    require_truth(examples.back(), num_matches, cover);
    examples.back().gold = std::move(gold);
  }
  return examples;
}

// Each shape of one side of the pairs, once, with its contexts.
class ShapeTables {
 public:
  struct Shape {
    std::shared_ptr<const PointSet> points;
    std::shared_ptr<const ContextTable> table;
  };

  // The shapes on `side` of the pairs.
  template <class Side, class Make>
  ShapeTables(std::span<const ShapePair> pairs, int threads, const Side& side, const Make& make) {
    std::vector<std::shared_ptr<const PointSet>> shapes;
    for (const ShapePair& pair : pairs) {
      if (number_.emplace(side(pair).get(), shapes.size()).second) shapes.push_back(side(pair));
    }
    made_.resize(shapes.size());
    parallel_for(shapes.size(), threads, [&](Index s, int) { made_[s] = make(shapes[s]); });
  }

  const Shape& operator[](const std::shared_ptr<const PointSet>& shape) const {
    return made_[number_.at(shape.get())];
  }

 private:
  std::unordered_map<const PointSet*, Index> number_;
  std::vector<Shape> made_;
};

// The same points in a random order. Histograms are often equal, and one of several best matchings
// is returned: it must not be the true one just because both sides have the same order.
PointSet shuffled(const PointSet& shape) {
  PointSet out = shape;
  const Index n = shape.points.size();
  const std::vector<Index> order = random_permutation(n, Random(fingerprint(shape.name), n));
  for (Index k = 0; k < n; ++k) {
    out.points[k] = shape.points[order[k]];
    out.ids[k] = shape.ids[order[k]];
  }
  return out;
}

void read_truth(MatchExample& example, Cover cover) {
  for (const PointSet* shape : {example.left.get(), example.right.get()}) {
    if (shape->identified) continue;
    throw InputError(
        example.file, example.line,
        fmt::format("expected the points of '{}' in a .points file next to the picture, found none",
                    shape->name));
  }
  std::unordered_map<std::int64_t, Label> right;
  for (Index j = 0; j < example.num_right; ++j) {
    right.emplace(example.right->ids[j], static_cast<Label>(j));
  }
  example.gold.assign(example.num_left, kNoLabel);
  Index num_matches = 0;
  for (Index i = 0; i < example.num_left; ++i) {
    const auto mate = right.find(example.left->ids[i]);
    if (mate == right.end()) continue;
    example.gold[i] = mate->second;
    ++num_matches;
  }
  require_truth(example, num_matches, cover);
}

std::vector<MatchExample> complete_graphs(std::span<const ShapePair> pairs,
                                          const MatchFeatures& features, int threads) {
  for (const ShapePair& pair : pairs) {
    if (pair.left->points.size() <= MatchExample::kMostEdges / pair.right->points.size()) continue;
    throw InputError(
        pair.file, pair.line,
        fmt::format("'{}' has {} by {} points: expected at most {} pairs of them", pair.name,
                    pair.left->points.size(), pair.right->points.size(), MatchExample::kMostEdges));
  }
  const auto table_of = [&](const PointSet& shape, double bias) {
    ContextTable table(shape, features.contexts());
    return std::make_shared<const ContextTable>(
        features.cover() == Cover::kPartial ? table.with_bias(bias) : std::move(table));
  };
  using ShapePointer = std::shared_ptr<const PointSet>;
  const ShapeTables left(
      pairs, threads, [](const ShapePair& pair) { return pair.left; },
      [&](const ShapePointer& shape) -> ShapeTables::Shape {
        return {shape, table_of(*shape, 1)};
      });
  const ShapeTables right(
      pairs, threads, [](const ShapePair& pair) { return pair.right; },
      [&](const ShapePointer& shape) -> ShapeTables::Shape {
        auto other = std::make_shared<const PointSet>(shuffled(*shape));
        return {other, table_of(*other, 0)};
      });
  std::vector<MatchExample> examples;
  examples.reserve(pairs.size());
  for (const ShapePair& pair : pairs) {
    MatchExample example;
    example.name = pair.name;
    example.file = pair.file;
    example.line = pair.line;
    example.left = left[pair.left].points;
    example.right = right[pair.right].points;
    example.num_left = pair.left->points.size();
    example.num_right = pair.right->points.size();
    example.features = EdgeFeatures::of_contexts(left[pair.left].table, right[pair.right].table,
                                                 features.contexts().difference);
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace

MatchFeatures MatchFeatures::of_graphs(GraphFeatures graphs, Cover cover) {
  MatchFeatures features;
  features.graphs_ = std::move(graphs);
  features.cover_ = cover;
  return features;
}

MatchFeatures MatchFeatures::of_pairs(const ContextOptions& contexts, Cover cover) {
  contexts.validate();
  MatchFeatures features;
  features.pairs_ = true;
  features.contexts_ = contexts;
  features.cover_ = cover;
  return features;
}

Index MatchFeatures::dimension() const {
  if (!pairs_) return graphs_.dimension();
  return contexts_.num_bins() + (cover_ == Cover::kPartial ? 1 : 0);
}

std::string MatchFeatures::weight_name(Index k) const {
  if (!pairs_) return graphs_.name(k);
  return k < contexts_.num_bins() ? contexts_.bin_name(k) : "bias";
}

Matching MatchExample::structure(Cover cover) const {
  return edges == nullptr ? Matching(num_left, num_right, cover) : Matching(*edges, cover);
}

std::int64_t MatchExample::left_name(Index i) const {
  return left == nullptr ? static_cast<std::int64_t>(i) : left->ids[i];
}

std::int64_t MatchExample::right_name(Index j) const {
  return right == nullptr ? static_cast<std::int64_t>(j) : right->ids[j];
}

MatchData graph_data(std::vector<InputFile> files, Cover cover) {
  GraphFeatures features;
  const std::string first = files.front().name();
  std::vector<MatchExample> examples = read_all(std::move(files), features, cover);
  if (features.dimension() == 0) {
    throw InputError(first, 0, "the edges have no features to learn from");
  }
  return {MatchFeatures::of_graphs(std::move(features), cover), std::move(examples)};
}

MatchData pair_data(std::span<const ShapePair> pairs, const ContextOptions& contexts, Cover cover,
                    int threads) {
  MatchFeatures features = MatchFeatures::of_pairs(contexts, cover);
  std::vector<MatchExample> examples = pair_examples(pairs, features, threads);
  return {std::move(features), std::move(examples)};
}

std::vector<MatchExample> graph_examples(std::vector<InputFile> files,
                                         const MatchFeatures& features) {
  GraphFeatures known = frozen(features.graphs());
  return read_all(std::move(files), known, features.cover());
}

std::vector<MatchExample> pair_examples(std::span<const ShapePair> pairs,
                                        const MatchFeatures& features, int threads) {
  std::vector<MatchExample> examples = complete_graphs(pairs, features, threads);
  for (MatchExample& example : examples) read_truth(example, features.cover());
  return examples;
}

MatchData read_training_data(const std::vector<std::string>& files, bool pairs,
                             const ContextOptions& contexts, Cover cover, int threads) {
  if (files.empty()) throw UsageError("expected graphs to train on, found none");
  if (!pairs) return graph_data({files.begin(), files.end()}, cover);
  return pair_data(read_pair_lists(files, contexts), contexts, cover, threads);
}

std::vector<MatchExample> read_examples(const std::vector<std::string>& files,
                                        const MatchFeatures& features, int threads) {
  if (!features.pairs()) return graph_examples({files.begin(), files.end()}, features);
  return pair_examples(read_pair_lists(files, features.contexts()), features, threads);
}

std::vector<MatchExample> read_truths(const std::vector<std::string>& files, bool pairs,
                                      const ContextOptions& contexts, int threads) {
  GraphFeatures any;
  if (!pairs) return read_all({files.begin(), files.end()}, any, Cover::kPartial);
  return pair_examples(read_pair_lists(files, contexts),
                       MatchFeatures::of_pairs(contexts, Cover::kPartial), threads);
}

MatchExample unlabelled_example(GraphRecord graph, const MatchFeatures& features) {
  MatchExample example = graph_example(std::move(graph), features.graphs());
  if (features.cover() == Cover::kPerfect) require_matching(example);
  return example;
}

MatchExample unlabelled_example(const ShapePair& pair, const MatchFeatures& features) {
  return std::move(complete_graphs({&pair, 1}, features, 1).front());
}

GraphFeatures frozen(GraphFeatures features) {
  features.known = true;
  features.frozen = true;
  return features;
}

std::uint64_t digest(std::span<const MatchExample> examples) {
  std::uint64_t hash = examples.size();
  const auto mix = [&hash](const void* bytes, Index size) {
    hash = fingerprint({static_cast<const char*>(bytes), size}, hash);
  };
  std::vector<double> w;
  std::vector<double> s;
  for (const MatchExample& example : examples) {
    mix(example.name.data(), example.name.size());
    mix(example.gold.data(), example.gold.size() * sizeof(Label));
    // Scores for incommensurable weights distinguish different features.
    w.resize(example.features.width());
    for (Index k = 0; k < w.size(); ++k) w[k] = 1 / (static_cast<double>(k) + 1.37);
    s.assign(example.features.num_edges(), 0.0);
    example.features.add_scores(w, s);
    mix(s.data(), s.size() * sizeof(double));
  }
  return hash;
}

}  // namespace trellis::match
