#include "trellis/generative/alignment/model1.h"

#include <gtest/gtest.h>

#include "trellis/base/random.h"
#include "trellis/generative/alignment/cooccurrence.h"
#include "trellis/generative/alignment/expectation_maximisation.h"
#include "trellis/generative/alignment/independent_positions.h"

namespace trellis {
namespace {

Bitext repetitive_bitext(Index pairs, std::uint64_t seed) {
  Random random(seed);
  Bitext bitext;
  for (Index k = 0; k < pairs; ++k) {
    std::vector<WordId> source(random.below(6)), target(random.below(6));
    for (WordId& e : source) e = static_cast<WordId>(random.below(300) % (1 + random.below(300)));
    for (WordId& f : target) {
      const bool translated = !source.empty() && random.below(4) != 0;
      f = translated ? source[random.below(source.size())] : static_cast<WordId>(random.below(9));
    }
    bitext.add(source, target);
  }
  return bitext;
}

// The general E-step, link by link, is its twin.
TEST(Model1, EqualsEmOverLinks) {
  const Bitext bitext = repetitive_bitext(150, 1);
  for (const Smoothing smoothing : {Smoothing::kNone, Smoothing::kAdd, Smoothing::kBayes}) {
    Model1::Options options;
    options.null = 0.15;
    options.lexicon = {smoothing, smoothing == Smoothing::kNone ? 0 : 0.01, 1e-7, 1};
    Model1 model(bitext, options);
    const Cooccurrence found = count_cooccurrences(bitext, 1);
    Lexicon lexicon(found.row_begin, found.targets, bitext.target_words(), options.lexicon);
    ExpectationMaximisation em(bitext, lexicon, 1);
    UniformPositions forward(options.null), reverse(options.null);
    for (int round = 0; round < 5; ++round) {
      const Model1::Likelihood found_here = model.iterate();
      const EmIteration expected = em.iterate(forward, reverse, false);
      EXPECT_NEAR(found_here.forward, expected.forward, 1e-3);
      EXPECT_NEAR(found_here.reverse, expected.reverse, 1e-3);
    }
    const Lexicon taken = model.take(0);
    const LexiconView here = taken.view(), there = lexicon.view();
    ASSERT_EQ(here.targets.size(), there.targets.size());
    for (Index x = 0; x < here.targets.size(); ++x) {
      EXPECT_EQ(here.targets[x], there.targets[x]);
      EXPECT_NEAR(std::exp(here.forward[x]), std::exp(there.forward[x]), 1e-5);
      EXPECT_NEAR(std::exp(here.reverse[x]), std::exp(there.reverse[x]), 1e-5);
    }
    for (Index f = 0; f < here.null_forward.size(); ++f) {
      EXPECT_NEAR(std::exp(here.null_forward[f]), std::exp(there.null_forward[f]), 1e-5);
    }
    for (Index e = 0; e < here.null_reverse.size(); ++e) {
      EXPECT_NEAR(std::exp(here.null_reverse[e]), std::exp(there.null_reverse[e]), 1e-5);
    }
  }
}

TEST(Model1, SameBitsForAnyNumberOfThreads) {
  const Bitext bitext = repetitive_bitext(400, 2);
  Model1::Options options;
  options.lexicon.prior = 1e-3;
  Model1 one(bitext, options);
  options.threads = 3;
  Model1 three(bitext, options);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(one.iterate().forward, three.iterate().forward);
  }
  const Lexicon a = one.take(1e-3), b = three.take(1e-3);
  EXPECT_LT(a.size(), count_cooccurrences(bitext, 1).size());
  ASSERT_EQ(a.size(), b.size());
  for (Index x = 0; x < a.size(); ++x) {
    EXPECT_EQ(a.view().forward[x], b.view().forward[x]);
    EXPECT_EQ(a.view().reverse[x], b.view().reverse[x]);
  }
}

}  // namespace
}  // namespace trellis
