#include "trellis/generative/alignment/association.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "trellis/base/random.h"
#include "trellis/generative/alignment/entry_index.h"

namespace trellis {
namespace {

TEST(Cooccurrence, CountsEqualBruteForce) {
  Random random(1);
  Bitext bitext;
  std::map<std::pair<WordId, WordId>, std::uint32_t> expected;
  for (int k = 0; k < 80; ++k) {
    std::vector<WordId> source(random.below(6)), target(random.below(6));
    for (WordId& e : source) e = static_cast<WordId>(random.below(600));
    for (WordId& f : target) f = static_cast<WordId>(random.below(5));
    bitext.add(source, target);
    std::map<WordId, std::uint32_t> of_e, of_f;
    for (const WordId e : source) ++of_e[e];
    for (const WordId f : target) ++of_f[f];
    for (const auto& [e, n] : of_e) {
      for (const auto& [f, m] : of_f) expected[{e, f}] += std::min(n, m);
    }
  }
  for (const int threads : {1, 3}) {
    const Cooccurrence found = count_cooccurrences(bitext, threads);
    ASSERT_EQ(found.size(), expected.size());
    auto next = expected.begin();
    for (WordId e = 0; e < bitext.source_words(); ++e) {
      for (Index x = found.row_begin[e]; x < found.row_begin[e + 1]; ++x, ++next) {
        EXPECT_EQ(std::make_pair(e, found.targets[x]), next->first);
        EXPECT_EQ(found.counts[x], next->second);
      }
    }
    // Every cell of every pair has its entry.
    const EntryIndex index(found.row_begin, found.targets);
    for (Index k = 0; k < bitext.size(); ++k) {
      for (const WordId e : bitext[k].source) {
        for (const WordId f : bitext[k].target) {
          const std::uint32_t entry = index.find(e, f);
          ASSERT_NE(entry, EntryIndex::kNone);
          EXPECT_EQ(found.targets[entry], f);
          EXPECT_TRUE(entry >= found.row_begin[e] && entry < found.row_begin[e + 1]);
        }
      }
    }
    EXPECT_EQ(index.find(0, 77), EntryIndex::kNone);
    EXPECT_EQ(index.find(kUnknownWord, 0), EntryIndex::kNone);
  }
}

TEST(Association, FollowsItsFormulas) {
  Bitext bitext;  // 0 and 0 always together, 1 and 1 half of the time
  for (int k = 0; k < 4; ++k) {
    bitext.add(std::vector<WordId>{0, 1}, std::vector<WordId>{0, static_cast<WordId>(1 + k % 2)});
  }
  const Cooccurrence found = count_cooccurrences(bitext, {});
  const std::vector<double> dice = associations(found, Association::kDice);
  EXPECT_DOUBLE_EQ(dice[0], 1);            // (0, 0)
  EXPECT_DOUBLE_EQ(dice[1], 2 * 2.0 / 6);  // (0, 1)
  const std::vector<double> llr = associations(found, Association::kLogLikelihoodRatio);
  // (0, 0): cells 4, 0, 0, 4 of 8.
  EXPECT_NEAR(llr[0], 2 * 8 * std::log(2.0), 1e-12);
  for (const double value : llr) EXPECT_GE(value, 0);
}

}  // namespace
}  // namespace trellis
