#include "trellis/generative/alignment/gibbs_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "alignment_enumeration.h"
#include "trellis/generative/alignment/cooccurrence.h"

namespace trellis {
namespace {

using namespace testing;

// Two pairs that share words, so that their links depend on each other.
Bitext tiny() {
  Bitext bitext;
  bitext.add(std::vector<WordId>{0, 1}, std::vector<WordId>{0, 1});
  bitext.add(std::vector<WordId>{0, 2}, std::vector<WordId>{0, 0});
  return bitext;
}

// All states of both pairs, with their probability by log_joint of a chain that was put there.
std::map<std::vector<Label>, double> exact(const Bitext& bitext, const EntryIndex& links,
                                           Index entries, const GibbsOptions& options) {
  std::map<std::vector<Label>, double> joint;
  double total = 0;
  for (const Alignment& a : all_alignments({2, 2})) {
    for (const Alignment& b : all_alignments({2, 2})) {
      GibbsChain chain(bitext, links, entries, options);
      chain.start(0, a);
      chain.start(1, b);
      std::vector<Label> state = a;
      state.insert(state.end(), b.begin(), b.end());
      total += joint[state] = std::exp(chain.log_joint());
    }
  }
  for (auto& [state, p] : joint) p /= total;
  return joint;
}

TEST(GibbsChain, DrawsFollowTheExactPosterior) {
  const Bitext bitext = tiny();
  const Cooccurrence found = count_cooccurrences(bitext, {});
  const EntryIndex links(found.row_begin, found.targets);
  for (const bool fertility : {false, true}) {
    for (const bool reverse : {false, true}) {
      GibbsOptions options;
      options.lexical_prior = 0.3;
      options.null_prior = 0.4;
      options.reach = 2;
      options.fertility = fertility;
      options.reverse = reverse;
      const auto expected = exact(bitext, links, found.size(), options);
      GibbsChain chain(bitext, links, found.size(), options);
      std::map<std::vector<Label>, double> drawn;
      constexpr int kKept = 40000, kThinned = 5;
      for (int round = 0; round < kKept; ++round) {
        for (int skip = 0; skip < kThinned; ++skip) chain.sweep();
        std::vector<Label> state;
        for (const Index k : {0, 1}) {
          for (const std::uint16_t i : chain.alignment(k)) {
            state.push_back(i == GibbsChain::kNothing ? kNoLabel : static_cast<Label>(i));
          }
        }
        drawn[state] += 1;
      }
      // Pearson's χ² over states that are expected five times or more. Draws five sweeps apart
      // still depend on each other a little, hence the wide bound.
      double statistic = 0, cells = 0;
      for (const auto& [state, p] : expected) {
        const double count = p * kKept;
        if (count < 5) continue;
        statistic += (drawn[state] - count) * (drawn[state] - count) / count;
        cells += 1;
      }
      EXPECT_GT(cells, 30);
      EXPECT_LT(statistic, 1.3 * cells + 6 * std::sqrt(2 * cells)) << fertility << reverse;
    }
  }
}

// What the chain counts is what its state says.
TEST(GibbsChain, CountsAreThoseOfTheState) {
  const Bitext bitext = tiny();
  const Cooccurrence found = count_cooccurrences(bitext, {});
  const EntryIndex links(found.row_begin, found.targets);
  GibbsChain chain(bitext, links, found.size(), {});
  for (int round = 0; round < 20; ++round) chain.sweep();
  GibbsChain fresh(bitext, links, found.size(), {});
  for (Index k = 0; k < bitext.size(); ++k) {
    std::vector<Label> a;
    for (const std::uint16_t i : chain.alignment(k)) {
      a.push_back(i == GibbsChain::kNothing ? kNoLabel : static_cast<Label>(i));
    }
    fresh.start(k, a);
  }
  const auto equal = [](auto x, auto y) { return std::equal(x.begin(), x.end(), y.begin()); };
  EXPECT_TRUE(equal(chain.lexical(), fresh.lexical()));
  EXPECT_TRUE(equal(chain.null_lexical(), fresh.null_lexical()));
  EXPECT_TRUE(equal(chain.jumps(), fresh.jumps()));
  EXPECT_TRUE(equal(chain.fertilities(), fresh.fertilities()));
}

}  // namespace
}  // namespace trellis
