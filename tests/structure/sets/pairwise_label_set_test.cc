#include "trellis/structure/sets/pairwise_label_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::pairwise_label_set_test {
namespace {

using conformance::Scores;

std::vector<NodePair> draw_pairs(Index num_labels, Random& random) {
  const double density = random.uniform();
  std::vector<NodePair> pairs;
  for (std::uint32_t v = 0; v < num_labels; ++v) {
    for (std::uint32_t w = 0; w < v; ++w) {
      if (random.uniform() < density) {
        pairs.push_back(random.below(2) == 0 ? NodePair{v, w} : NodePair{w, v});
      }
    }
  }
  return pairs;
}

std::vector<PairwiseLabelSet::Output> all_sets(Index num_labels) {
  std::vector<PairwiseLabelSet::Output> outputs;
  for (Index bits = 0; bits < Index{1} << num_labels; ++bits) {
    PairwiseLabelSet::Output& y = outputs.emplace_back(num_labels);
    for (Index v = 0; v < num_labels; ++v) y[v] = static_cast<Label>(bits >> v & 1);
  }
  return outputs;
}

std::vector<double> draw_attracting(const PairwiseLabelSet& structure, Scores kind,
                                    Random& random) {
  std::vector<double> s = conformance::draw_scores(kind, structure.num_parts(), random);
  for (Index p = 0; p < structure.pairs().size(); ++p) {
    s[structure.pair_part(p)] = std::abs(s[structure.pair_part(p)]);
  }
  return s;
}

TEST(PairwiseLabelSet, MaximizeEqualsEnumeration) {
  Random random(1);
  PairwiseLabelSet::Scratch scratch;
  for (Index trial = 0; trial < 200; ++trial) {
    const Index num_labels = 1 + random.below(7);
    const std::vector<NodePair> pairs = draw_pairs(num_labels, random);
    const PairwiseLabelSet structure(num_labels, pairs);
    const conformance::Enumeration<PairwiseLabelSet> all(structure, all_sets(num_labels));
    for (const Scores kind : conformance::kAllScores) {
      conformance::check_maximize(all, draw_attracting(structure, kind, random), scratch);
    }
  }
}

TEST(PairwiseLabelSet, BestVertexOfTheLinearProgramIsTheBestSet) {
  Random random(2);
  PairwiseLabelSet::Scratch scratch;
  for (Index trial = 0; trial < 40; ++trial) {
    const Index num_labels = 1 + random.below(6);
    const std::vector<NodePair> pairs = draw_pairs(num_labels, random);
    const PairwiseLabelSet structure(num_labels, pairs);
    const conformance::Enumeration<PairwiseLabelSet> all(structure, all_sets(num_labels));
    conformance::check_outputs_are_feasible(all);
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed}) {
      conformance::check_linear_program(all, draw_attracting(structure, kind, random), scratch);
    }
  }
}

TEST(PairwiseLabelSet, TheSmallestOfTheBestSetsIsFound) {
  Random random(3);
  PairwiseLabelSet::Scratch scratch;
  for (Index trial = 0; trial < 300; ++trial) {
    const Index num_labels = 1 + random.below(6);
    const std::vector<NodePair> pairs = draw_pairs(num_labels, random);
    const PairwiseLabelSet structure(num_labels, pairs);
    const std::vector<double> s = draw_attracting(structure, Scores::kTies, random);
    PairwiseLabelSet::Output found;
    const double best = structure.maximize(s, scratch, found);
    for (const PairwiseLabelSet::Output& y : all_sets(num_labels)) {
      if (structure.score(s, y) != best) continue;
      for (Index v = 0; v < num_labels; ++v) EXPECT_LE(found[v], y[v]);
    }
  }
}

TEST(PairwiseLabelSet, PairsThatRepelAreRefusedByName) {
  const std::vector<NodePair> pairs = {{0, 1}, {2, 1}};
  const PairwiseLabelSet structure(3, pairs);
  PairwiseLabelSet::Scratch scratch;
  PairwiseLabelSet::Output y;
  for (const double bad : {-0.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    try {
      structure.maximize(std::vector<double>{1, 2, 3, 1, bad}, scratch, y);
      FAIL() << "not refused";
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("pair 1 of labels 2 and 1"), std::string::npos) << message;
    }
  }
}

TEST(PairwiseLabelSet, PairsMustBeDistinctPairsOfLabels) {
  const std::vector<NodePair> itself = {{0, 1}, {1, 1}};
  const std::vector<NodePair> outside = {{0, 2}};
  const std::vector<NodePair> twice = {{0, 1}, {1, 0}};
  EXPECT_THROW(PairwiseLabelSet(2, itself), UsageError);
  EXPECT_THROW(PairwiseLabelSet(2, outside), UsageError);
  EXPECT_THROW(PairwiseLabelSet(2, twice), UsageError);
}

}  // namespace
}  // namespace trellis::pairwise_label_set_test
