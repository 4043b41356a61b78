#include "trellis/tasks/align/supervised/link_judge.h"

#include <gtest/gtest.h>

#include "tests/tasks/align/supervised/random_parts.h"
#include "trellis/tasks/align/supervised/link_decoder.h"

namespace trellis::align {
namespace {

struct Judged {
  explicit Judged(const LinkShape& shape) : layout(testing::small_layout(shape)) {
    Random random(3);
    LeftOut left_out;
    for (int k = 0; k < 20; ++k) {
      examples.push_back(testing::random_example(shape, random, left_out));
    }
    w = testing::random_weights(layout, random);
  }
  WeightLayout layout;
  std::vector<LinkExample> examples;
  std::vector<double> w;
};

TEST(LinkJudge, TalliesAreTheSameForAnyNumberOfThreadsAndAddUp) {
  for (const LinkShape& shape : testing::all_shapes()) {
    const Judged data(shape);
    const LinkJudge judge(shape, standard_offsets());
    const auto all = judge.tally(data.examples, {}, data.w, 1);
    EXPECT_EQ(all, judge.tally(data.examples, {}, data.w, 2));
    const std::vector<Index> some = {0, 3, 4};
    std::vector<Index> others;
    for (Index k = 0; k < data.examples.size(); ++k) {
      if (k != 0 && k != 3 && k != 4) others.push_back(k);
    }
    const auto one = judge.tally(data.examples, some, data.w, 1);
    const auto two = judge.tally(data.examples, others, data.w, 2);
    for (Index x = 0; x < all.size(); ++x) EXPECT_EQ(all[x], one[x] + two[x]);
  }
}

TEST(LinkJudge, ALargerOffsetFindsMoreLinksAndTheBestHasTheLeastError) {
  for (const LinkShape& shape : testing::all_shapes()) {
    const Judged data(shape);
    const std::vector<double> offsets = {-2, -0.5, 0, 0.5, 2};
    const LinkJudge judge(shape, offsets);
    const auto tally = judge.tally(data.examples, {}, data.w, 1);
    const double least = judge.counts(tally, judge.best(tally)).aer();
    for (Index o = 0; o < offsets.size(); ++o) {
      EXPECT_LE(least, judge.counts(tally, o).aer());
      if (o == 0) continue;
      EXPECT_GE(judge.counts(tally, o).found, judge.counts(tally, o - 1).found);
    }
  }
}

TEST(LinkDecoder, TheFirstOfTheBestIsTheBestAndScoresFall) {
  for (const LinkShape& shape : testing::all_shapes()) {
    const Judged data(shape);
    const LinkDecoder decoder(shape, data.w, 0.3);
    LinkDecoder::Scratch scratch;
    for (const LinkExample& example : data.examples) {
      RankedLinks best;
      decoder.decode(example.parts, scratch, best);
      std::vector<RankedLinks> ranked;
      decoder.k_best(example.parts, 5, scratch, ranked);
      ASSERT_FALSE(ranked.empty());
      EXPECT_NEAR(ranked.front().score, best.score, 1e-9);
      for (Index k = 1; k < ranked.size(); ++k) {
        EXPECT_LE(ranked[k].score, ranked[k - 1].score + 1e-12);
        EXPECT_NE(ranked[k].links, ranked[k - 1].links);
      }
    }
  }
}

}  // namespace
}  // namespace trellis::align
