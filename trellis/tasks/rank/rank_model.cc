#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {
namespace {

// Larger than 1/σ of any floats can be, and small enough that no product with a float overflows.
constexpr double kMaxScale = 1e60;

void describe_trees(ModelArchive& a, Trees& trees, Index num_columns) {
  a.array("tree_begin", trees.begin, {}, "where the nodes of each tree begin, and the end");
  a.array("node_columns", trees.columns, {}, "by node: place of its feature in `indices`");
  a.array("node_thresholds", trees.thresholds, {}, "by node: a document below goes left");
  a.array("node_children", trees.children, {}, "by node two: a later node of the tree, or ~leaf");
  a.array("node_gains", trees.gains, {}, "by node: how much it lowered the loss");
  a.require(!a.reading() || trees.valid(num_columns), "the trees of the model are not complete");
}

}  // namespace

void RankModel::describe(ModelArchive& a, LinearParts<RankFeatures>& m) {
  RankFeatures& f = m.features;
  const Expansion& expansion = f.expansion;
  const auto expanded = [&](Expansion::Kind kind) { return expansion.kind == kind; };
  a.choice("normalization", f.normalization, "how the features of a query come to one scale");
  a.field(
      "expansion", "none, binned:B, random:K or trees:K,L",
      [&] { return Value(expansion.to_string()); },
      [&](const Value& stored) { f.expansion = Expansion::parse(stored.text()); });
  a.array("indices", f.indices, {.ascending = true}, "the features");
  const Index columns = f.num_columns();
  a.where("normalization scale", f.normalization == Normalization::kScale, [&] {
    a.array("scales", f.scales, {.size = columns, .in = Range{0, kMaxScale}}, "by feature");
  });
  a.where("expansion binned:B", expanded(Expansion::Kind::kBinned), [&] {
    a.lists("knot_begin", f.knot_begin, "knots", f.knots, columns,
            {.ascending = true, .in = kFinite}, "knots by feature");
  });
  a.where("expansion random:K", expanded(Expansion::Kind::kRandom), [&] {
    a.array("directions", f.directions, {.size = columns * expansion.size, .in = kFinite},
            "[feature · K + m]");
    a.array("phases", f.phases, {.size = expansion.size, .in = kFinite}, "[m]");
  });
  a.where("expansion trees:K,L", expanded(Expansion::Kind::kTrees),
          [&] { describe_trees(a, f.trees, columns); });
  a.weights("weights", m.weights, f.dimension(), "by dimension of a document's vector");
  a.value("training", m.training, "how the model was made");
}

}  // namespace trellis::rank
