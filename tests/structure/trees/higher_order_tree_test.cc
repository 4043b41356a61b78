#include "trellis/structure/trees/higher_order_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "tests/structure/trees/dependency_instance.h"

namespace trellis {
namespace {

// A graph of switches by brute force, in place of the algorithms.
class EnumeratedGraph {
 public:
  using Output = std::vector<std::uint32_t>;
  struct Scratch {};

  explicit EnumeratedGraph(const FactorGraphLayout& layout) : layout_(&layout) {
    Output values(layout.num_variables(), 0);
    for (std::uint64_t code = 0; code < std::uint64_t{1} << values.size(); ++code) {
      for (Index v = 0; v < values.size(); ++v) values[v] = (code >> v) & 1;
      if (layout.legal(values)) all_.push_back(values);
    }
  }

  Index num_parts() const { return layout_->num_parts(); }
  void indicator(const Output& y, std::span<double> z) const { layout_->indicator(y, z); }
  double score(std::span<const double> s, const Output& y) const {
    std::vector<double> z(num_parts());
    indicator(y, z);
    return std::inner_product(z.begin(), z.end(), s.begin(), 0.0);
  }
  LinearProgram linear_program() const { return {}; }
  double maximize(std::span<const double> s, Scratch&, Output& y) const {
    double best = kImpossible;
    for (const Output& other : all_) {
      if (score(s, other) <= best) continue;
      best = score(s, other);
      y = other;
    }
    return best;
  }
  double log_partition(std::span<const double> s, Scratch& scratch, std::span<double> m) const {
    Output best;
    const double shift = maximize(s, scratch, best);
    std::ranges::fill(m, 0.0);
    std::vector<double> z(num_parts());
    double sum = 0;
    for (const Output& y : all_) {
      const double weight = std::exp(score(s, y) - shift);
      sum += weight;
      indicator(y, z);
      for (Index p = 0; p < z.size(); ++p) m[p] += weight * z[p];
    }
    for (double& value : m) value /= sum;
    return shift + std::log(sum);
  }
  double entropy(std::span<const double> s, Scratch& scratch) const {
    std::vector<double> m(num_parts());
    const double value = log_partition(s, scratch, m);
    return value - std::inner_product(m.begin(), m.end(), s.begin(), 0.0);
  }

 private:
  const FactorGraphLayout* layout_;
  std::vector<Output> all_;
};

TEST(HigherOrderTree, FoldsLabelsIntoSwitches) {
  using Tree = HigherOrderTree<EnumeratedGraph>;
  static_assert(Maximizer<Tree> && Summer<Tree>);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const DependencyArcs arcs = conformance::draw_arcs(1 + random.below(3), 0.9, 3, random);
    const Roots roots = random.below(2) == 0 ? Roots::kAny : Roots::kOne;
    const ArcPairGraph graph(arcs, roots, Crossing::kAllowed, {});
    const Tree tree(arcs, graph, EnumeratedGraph(graph.layout()));
    const auto trees = conformance::all_trees(arcs, roots);
    if (trees.empty()) continue;
    const std::vector<double> s =
        conformance::draw_scores(conformance::Scores::kSmall, tree.num_parts(), random);
    double best = kImpossible;
    double sum = 0, weighted = 0;
    std::vector<double> marginals(tree.num_parts(), 0.0), z(tree.num_parts());
    for (const Tree::Output& y : trees) {
      ASSERT_TRUE(tree.legal(y));
      const double score = tree.score(s, y);
      best = std::max(best, score);
      sum += std::exp(score);
      weighted += std::exp(score) * score;
      tree.indicator(y, z);
      for (Index p = 0; p < z.size(); ++p) marginals[p] += std::exp(score) * z[p];
    }
    Tree::Scratch scratch;
    Tree::Output y;
    EXPECT_NEAR(tree.maximize(s, scratch, y), best, 1e-12);
    EXPECT_NEAR(tree.score(s, y), best, 1e-12);
    std::vector<double> found(tree.num_parts());
    EXPECT_NEAR(tree.log_partition(s, scratch, found), std::log(sum), 1e-9);
    EXPECT_NEAR(tree.log_partition(s, scratch), std::log(sum), 1e-9);
    for (Index p = 0; p < found.size(); ++p) EXPECT_NEAR(found[p], marginals[p] / sum, 1e-9);
    EXPECT_NEAR(tree.entropy(s, scratch), std::log(sum) - weighted / sum, 1e-9);
  }
}

TEST(HigherOrderTree, HasNoTreeWhereThereIsNone) {
  const DependencyArcs arcs(2, std::vector<DependencyArc>{{2, 1}, {1, 2}});
  const ArcPairGraph graph(arcs, Roots::kAny, Crossing::kAllowed, {});
  const HigherOrderTree<EnumeratedGraph> tree(arcs, graph, EnumeratedGraph(graph.layout()));
  HigherOrderTree<EnumeratedGraph>::Scratch scratch;
  std::vector<std::uint32_t> y = {0};
  const std::vector<double> s(tree.num_parts(), 1.0);
  EXPECT_EQ(tree.maximize(s, scratch, y), kImpossible);
  EXPECT_TRUE(y.empty());
}

TEST(LabelFold, UnfoldsPrograms) {
  // 0 → 1 with two labels, 0 → 2 with one, 1 → 2 with one.
  const DependencyArcs arcs(2, std::vector<DependencyArc>{{0, 1}, {0, 1}, {0, 2}, {1, 2}});
  const ArcPairGraph graph(arcs, Roots::kAny, Crossing::kAllowed, {false, false, true});
  LinearProgram folded;
  folded.num_parts = 4;
  folded.num_variables = 5;
  folded.upper_bounds = {1, 1, 1, 0.5, 7};
  folded.rows.push_back({{{0, 2}, {2, 3}, {3, 4}, {4, 5}}, 1, 2});
  const LinearProgram program = LabelFold(arcs, graph).unfold(folded);
  EXPECT_EQ(program.num_parts, 5U);
  EXPECT_EQ(program.num_variables, 6U);
  EXPECT_EQ(program.upper_bounds, (std::vector<double>{1, 1, 1, 1, 0.5, 7}));
  ASSERT_EQ(program.rows[0].terms.size(), 5U);
  EXPECT_EQ(program.rows[0].terms[1].variable, 1U);
  EXPECT_EQ(program.rows[0].terms[1].coefficient, 2);
  EXPECT_EQ(program.rows[0].terms[4].variable, 5U);
}

}  // namespace
}  // namespace trellis
