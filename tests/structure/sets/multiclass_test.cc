#include "trellis/structure/sets/multiclass.h"

#include <gtest/gtest.h>

#include "tests/structure/structure_conformance.h"

namespace trellis {
namespace {

using namespace conformance;

static_assert(KBest<Multiclass> && Summer<Multiclass> && Sampler<Multiclass> &&
              Projector<Multiclass>);

struct MulticlassInstance {
  std::vector<std::uint8_t> allowed;
  std::vector<Label> outputs;
};

MulticlassInstance make_labels(Index labels, bool restricted, Random& random) {
  MulticlassInstance instance;
  for (Index y = 0; y < labels; ++y) {
    const bool allowed = !restricted || random.below(2) == 0;
    if (restricted) instance.allowed.push_back(allowed ? 1 : 0);
    if (allowed) instance.outputs.push_back(static_cast<Label>(y));
  }
  return instance;
}

TEST(Multiclass, EveryOperationEqualsEnumeration) {
  Random random(7);
  Multiclass::Scratch scratch;
  for (Index i = 0; i < 300; ++i) {
    const Index labels = 1 + random.below(12);
    const MulticlassInstance instance = make_labels(labels, i % 2 == 1, random);
    const Multiclass structure(labels, instance.allowed);
    const Enumeration<Multiclass> all(structure, instance.outputs);
    check_conformance(all, scratch, random);
    check_gradient(structure, draw_scores(Scores::kSmall, labels, random), scratch);
    check_linear_program(all, draw_scores(Scores::kSmall, labels, random), scratch);
    if (HasFailure()) return;
  }
}

TEST(Multiclass, SamplesHaveTheirProbabilities) {
  Random random(8);
  Multiclass::Scratch scratch;
  for (Index i = 0; i < 20; ++i) {
    const Index labels = 1 + random.below(6);
    const MulticlassInstance instance = make_labels(labels, i % 2 == 1, random);
    if (instance.outputs.empty()) continue;
    const Multiclass structure(labels, instance.allowed);
    check_samples(Enumeration<Multiclass>(structure, instance.outputs),
                  draw_scores(Scores::kSmall, labels, random), 5000, random, scratch);
  }
}

TEST(Multiclass, ProjectionsAreNearest) {
  Random random(9);
  Multiclass::Scratch scratch;
  for (Index i = 0; i < 200; ++i) {
    const Index labels = 1 + random.below(8);
    const MulticlassInstance instance = make_labels(labels, i % 2 == 1, random);
    const Multiclass structure(labels, instance.allowed);
    for (const Scores kind : kAllScores) {
      const std::vector<double> v = draw_scores(kind, labels, random);
      if (!instance.outputs.empty()) {
        check_project(structure, v, scratch);
        continue;
      }
      std::vector<double> z(labels, 1.0);
      structure.project(v, scratch, z);
      EXPECT_EQ(z, std::vector<double>(labels, 0.0));
    }
    if (HasFailure()) return;
  }
}

TEST(Multiclass, TiesGoToTheSmallestLabel) {
  Multiclass::Scratch scratch;
  Label y = kNoLabel;
  const std::vector<double> s = {1, 3, 3, 2, 3};
  Multiclass(5).maximize(s, scratch, y);
  EXPECT_EQ(y, 1);
  std::vector<ScoredOutput<Label>> best;
  Multiclass(5).k_best(s, 4, scratch, best);
  ASSERT_EQ(best.size(), 4u);
  EXPECT_EQ(best[0].output, 1);
  EXPECT_EQ(best[1].output, 2);
  EXPECT_EQ(best[2].output, 4);
  EXPECT_EQ(best[3].output, 3);
}

// With almost all the mass on one label the entropy is tiny, and log Σ exp − s·E[z] would be 0.
TEST(Multiclass, EntropyKeepsItsRelativeAccuracy) {
  Multiclass::Scratch scratch;
  const std::vector<double> s = {0, -100};
  const double rest = std::exp(-100.0);
  EXPECT_NEAR(Multiclass(2).entropy(s, scratch) / (rest + 100 * rest), 1.0, 1e-12);
}

TEST(Multiclass, LargestProductEqualsEnumeration) {
  Random random(9);
  Multiclass::Scratch scratch;
  for (Index trial = 0; trial < 500; ++trial) {
    const Index labels = 1 + random.below(6);
    std::vector<std::uint8_t> allowed(labels);
    for (std::uint8_t& flag : allowed) flag = random.below(3) == 0 ? 0 : 1;
    const Multiclass structure(labels, trial % 2 == 0 ? std::span<const std::uint8_t>() : allowed);
    const std::vector<double> s = draw_scores(Scores::kSmall, labels, random);
    const std::vector<double> c = draw_scores(Scores::kTies, labels, random);
    const double a = random.normal(), b = random.normal();
    double largest = 0;
    for (Index y = 0; y < labels; ++y) {
      if (!structure.legal(static_cast<Label>(y)) || a + s[y] <= 0 || b + c[y] <= 0) continue;
      largest = std::max(largest, (a + s[y]) * (b + c[y]));
    }
    Label y = kNoLabel;
    EXPECT_EQ(structure.maximize_product(a, s, b, c, scratch, y), largest);
    if (largest == 0) {
      EXPECT_EQ(y, kNoLabel);
      continue;
    }
    EXPECT_EQ((a + s[static_cast<Index>(y)]) * (b + c[static_cast<Index>(y)]), largest);
    EXPECT_TRUE(structure.legal(y));
  }
}

}  // namespace
}  // namespace trellis
