#include "trellis/tasks/parse/model/tree_decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "tests/structure/trees/dependency_instance.h"
#include "trellis/base/error.h"
#include "trellis/tasks/parse/model/arc_model.h"

namespace trellis::parse {
namespace {

using Tree = std::vector<std::uint32_t>;

constexpr PairInference kSums[] = {PairInference::kBeliefs, PairInference::kReweighted};

DecodeOptions by_risk(std::optional<PairInference> sums = {}) {
  DecodeOptions options;
  options.decoding = Decoding::kRisk;
  options.sums = sums;
  return options;
}

double cost(const DependencyArcs& arcs, const Tree& found, const Tree& truth) {
  double total = 0;
  for (Index m = 0; m < truth.size(); ++m) {
    const bool head = arcs.head(found[m]) == arcs.head(truth[m]);
    total += !head ? 1 : found[m] != truth[m] ? kLabelCost : 0;
  }
  return total;
}

struct DecoderInstance {
  explicit DecoderInstance(std::uint64_t seed)
      : random(seed),
        arcs(conformance::draw_arcs(1 + random.below(4), 0.9, 3, random)),
        roots(random.below(2) == 0 ? Roots::kAny : Roots::kOne),
        trees(conformance::all_trees(arcs, roots)) {}
  std::vector<double> scores(Index parts) {
    return conformance::draw_scores(conformance::Scores::kSmall, parts, random);
  }

  Random random;
  DependencyArcs arcs;
  Roots roots;
  std::vector<Tree> trees;
};

TEST(TreeDecoder, FindsTheTreeWithTheLeastExpectedCost) {
  TreeDecoder::Scratch scratch;
  Index others = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    DecoderInstance instance(seed);
    if (instance.trees.empty()) continue;
    const std::vector<double> s = instance.scores(instance.arcs.size());
    const DependencyTree structure(instance.arcs, instance.roots);
    const auto risk = [&](const Tree& found) {
      double sum = 0, total = 0;
      for (const Tree& truth : instance.trees) {
        const double weight = std::exp(structure.score(s, truth));
        sum += weight;
        total += weight * cost(instance.arcs, found, truth);
      }
      return total / sum;
    };
    double least = kInfinity;
    for (const Tree& tree : instance.trees) least = std::min(least, risk(tree));
    Tree found, best;
    const TreeDecoder decoder({instance.roots, false}, by_risk());
    const DecodedTree decoded = decoder.decode(instance.arcs, nullptr, s, scratch, found);
    EXPECT_NEAR(risk(found), least, 1e-12) << seed;
    EXPECT_NEAR(decoded.score, structure.score(s, found), 1e-12);
    TreeDecoder({instance.roots, false}, {}).decode(instance.arcs, nullptr, s, scratch, best);
    others += found == best ? 0 : 1;
  }
  EXPECT_GT(others, 5U) << "the tree with the highest score is another one";
}

TEST(TreeDecoder, OfPairsTakesTheProbabilitiesOfItsSums) {
  TreeDecoder::Scratch scratch;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    DecoderInstance instance(seed);
    if (instance.trees.empty()) continue;
    const ArcPairGraph graph(instance.arcs, instance.roots, Crossing::kAllowed, {});
    const std::vector<double> s = instance.scores(instance.arcs.size() + graph.num_pairs());
    std::vector<double> marginals(s.size());
    for (const PairInference sums : kSums) {
      const TreeDecoder decoder({instance.roots, false}, by_risk(sums));
      decoder.log_partition(instance.arcs, &graph, s, scratch, marginals);
      const auto worth = [&](const Tree& tree) {
        double total = 0;
        for (const std::uint32_t p : tree) {
          const Index m = instance.arcs.modifier(p);
          for (Index q = instance.arcs.begin(m); q < instance.arcs.begin(m + 1); ++q) {
            if (instance.arcs.head(q) != instance.arcs.head(p)) continue;
            total += (q == p ? 1 : 1 - kLabelCost) * marginals[q];
          }
        }
        return total;
      };
      double best = 0;
      for (const Tree& tree : instance.trees) best = std::max(best, worth(tree));
      Tree found;
      decoder.decode(instance.arcs, &graph, s, scratch, found);
      EXPECT_NEAR(worth(found), best, 1e-12) << seed << " " << to_string(sums);
    }
  }
}

// Where pairs score nothing, beliefs are those of the arcs alone, which are exact.
TEST(TreeDecoder, OfPairsIsThatOfArcsWherePairsScoreNothing) {
  TreeDecoder::Scratch scratch;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    DecoderInstance instance(seed);
    if (instance.trees.empty()) continue;
    const ArcPairGraph graph(instance.arcs, instance.roots, Crossing::kAllowed, {});
    std::vector<double> s = instance.scores(instance.arcs.size());
    Tree of_arcs, of_pairs;
    const TreeDecoder decoder({instance.roots, false}, by_risk());
    decoder.decode(instance.arcs, nullptr, s, scratch, of_arcs);
    s.resize(s.size() + graph.num_pairs(), 0.0);
    const DecodedTree found = decoder.decode(instance.arcs, &graph, s, scratch, of_pairs);
    EXPECT_EQ(of_pairs, of_arcs);
    EXPECT_TRUE(found.converged);
  }
}

TEST(TreeDecoder, TellsWhetherItsSumsConverged) {
  DecoderInstance instance(3);
  const ArcPairGraph graph(instance.arcs, instance.roots, Crossing::kAllowed, {});
  std::vector<double> s = instance.scores(instance.arcs.size() + graph.num_pairs());
  for (double& score : s) score *= 3;
  for (const PairInference sums : kSums) {
    DecodeOptions options = by_risk(sums);
    options.limits.iterations = 1;
    options.limits.tolerance = 1e-9;
    TreeDecoder::Scratch scratch;
    Tree tree;
    const TreeDecoder decoder({instance.roots, false}, options);
    EXPECT_FALSE(decoder.decode(instance.arcs, &graph, s, scratch, tree).converged);
  }
}

TEST(DecodeOptions, ThatDoNotFitAreRefused) {
  DecodeOptions options = by_risk();
  EXPECT_NO_THROW(options.check(1));
  options.limits.damping = 0.5;
  EXPECT_THROW(options.check(1), UsageError);
  EXPECT_NO_THROW(options.check(2));
  options.sums = PairInference::kReweighted;
  EXPECT_THROW(options.check(2), UsageError);
  EXPECT_THROW(by_risk(PairInference::kRelaxed).check(2), UsageError);
  EXPECT_THROW(by_risk(PairInference::kBeliefs).check(1), UsageError);
}

}  // namespace
}  // namespace trellis::parse
