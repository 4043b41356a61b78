// Agreement by hand, and against plain loops and sorting.
#include "trellis/topics/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics::agreement_test {
namespace {

using Pairs = std::vector<TranslationPair>;

// Coarse mixtures have many ties.
std::vector<double> some_mixtures(Index n, Index num_topics, bool coarse, std::uint64_t seed = 7) {
  Random random(seed, n * num_topics);
  std::vector<double> mixtures(n * num_topics);
  for (Index d = 0; d < n; ++d) {
    double sum = 0;
    for (Index k = 0; k < num_topics; ++k) {
      double& share = mixtures[d * num_topics + k];
      share = coarse ? static_cast<double>(random.below(2)) : random.uniform();
      sum += share;
    }
    if (sum == 0) sum = mixtures[d * num_topics] = 1;
    for (Index k = 0; k < num_topics; ++k) mixtures[d * num_topics + k] /= sum;
  }
  return mixtures;
}

// Row i and row n + i, from the fourth on, then the first three.
Pairs halves(Index n) {
  Pairs pairs;
  for (Index i = 0; i < n; ++i) pairs.push_back({(i + 3) % n, n + (i + 3) % n});
  return pairs;
}

struct Plain {
  std::vector<double> mixtures;
  Index num_topics;

  double share(Index d, Index k) const { return mixtures[d * num_topics + k]; }
  std::vector<Index> top(Index d, Index count) const {
    std::vector<std::pair<double, Index>> all;
    for (Index k = 0; k < num_topics; ++k) all.emplace_back(-share(d, k), k);
    std::sort(all.begin(), all.end());
    std::vector<Index> topics;
    for (Index r = 0; r < std::min(count, num_topics); ++r) topics.push_back(all[r].second);
    return topics;
  }
  float distance(Index a, Index b) const {
    float sum = 0;
    for (Index k = 0; k < num_topics; ++k) {
      const float difference =
          static_cast<float>(std::sqrt(share(a, k))) - static_cast<float>(std::sqrt(share(b, k)));
      sum += difference * difference;
    }
    return sum;
  }
  Agreement measure(const Pairs& pairs, Index count) const {
    Agreement all{pairs.size(), 0, 0, 0, 0, {0, 0}, {0, 0}};
    const auto n = static_cast<double>(pairs.size());
    for (const auto& [a, b] : pairs) {
      double squares = 0;
      for (Index k = 0; k < num_topics; ++k) {
        squares += std::pow(share(a, k) - share(b, k), 2);
        all.hellinger += std::pow(std::sqrt(share(a, k)) - std::sqrt(share(b, k)), 2) / n;
      }
      all.l2 += std::sqrt(squares) / n;
      all.first_topic += (top(a, 1) == top(b, 1) ? 1 : 0) / n;
      const std::vector<Index> left = top(a, count), right = top(b, count);
      for (const Index k : left) {
        all.top_topics += static_cast<double>(std::count(right.begin(), right.end(), k)) / n;
      }
      Index nearer[2] = {0, 0}, equal[2] = {0, 0};
      for (const TranslationPair& other : pairs) {
        nearer[0] += distance(a, other.second) < distance(a, b) ? 1 : 0;
        equal[0] += distance(a, other.second) == distance(a, b) ? 1 : 0;
        nearer[1] += distance(b, other.first) < distance(a, b) ? 1 : 0;
        equal[1] += distance(b, other.first) == distance(a, b) ? 1 : 0;
      }
      for (Index way = 0; way < 2; ++way) {
        // The mean of ranks nearer + 1 … nearer + equal.
        const double rank =
            static_cast<double>(nearer[way]) + static_cast<double>(equal[way] + 1) / 2;
        Retrieval& found = way == 0 ? all.forth : all.back;
        found.first += (nearer[way] == 0 && equal[way] == 1 ? 1 : 0) / n;
        found.reciprocal_rank += 1 / rank / n;
      }
    }
    return all;
  }
};

std::vector<double> values(const Agreement& found) {
  return {found.l2,         found.hellinger,           found.first_topic,
          found.top_topics, found.forth.first,         found.forth.reciprocal_rank,
          found.back.first, found.back.reciprocal_rank};
}

TEST(Agreement, ByHand) {
  // Two pairs: (0, 2) alike in their first topic, (1, 3) not.
  const std::vector<double> mixtures = {0.64, 0.36, 0,  //
                                        0,    1,    0,  //
                                        1,    0,    0,  //
                                        0,    0.36, 0.64};
  const Agreement found = measure_agreement(mixtures, 3, Pairs{{0, 2}, {1, 3}}, {2}, 1);
  EXPECT_EQ(found.pairs, 2u);
  EXPECT_NEAR(found.l2, (0.36 * std::sqrt(2) + 0.64 * std::sqrt(2)) / 2, 1e-15);
  // (0.8 − 1)² + 0.6² = 0.4 and (1 − 0.6)² + 0.8² = 0.8.
  EXPECT_NEAR(found.hellinger, 0.6, 1e-15);
  EXPECT_EQ(found.first_topic, 0.5);
  // Topics {0, 1} and {0, 1}, where the lower of two empty ones counts; {0, 1} and {1, 2}.
  EXPECT_EQ(found.top_topics, 1.5);
  // From 0: 0.4 to 2, 1.28 to 3. From 1: 2 to 2, 0.8 to 3. From 2: 0.4 to 0, 2 to 1. From 3: 1.28
  // to 0, 0.8 to 1.
  EXPECT_EQ(found.forth.first, 1);
  EXPECT_EQ(found.back.first, 1);
  const Agreement crossed = measure_agreement(mixtures, 3, Pairs{{0, 3}, {1, 2}}, {2}, 1);
  EXPECT_EQ(crossed.forth.first, 0);
  EXPECT_EQ(crossed.forth.reciprocal_rank, 0.5);
  EXPECT_EQ(crossed.back.reciprocal_rank, 0.5);
}

TEST(Agreement, IsThatOfPlainLoops) {
  for (const bool coarse : {false, true}) {
    for (const auto& [n, num_topics, count] : {std::array<Index, 3>{1, 1, 5},
                                               {2, 3, 5},
                                               {15, 4, 2},
                                               {16, 8, 5},
                                               {37, 20, 5},
                                               {161, 9, 3}}) {
      const Plain plain{some_mixtures(2 * n, num_topics, coarse), num_topics};
      const Pairs pairs = halves(n);
      const Agreement found = measure_agreement(plain.mixtures, num_topics, pairs, {count}, 1);
      const std::vector<double> expected = values(plain.measure(pairs, count));
      EXPECT_EQ(found.pairs, n);
      for (Index v = 0; v < expected.size(); ++v) {
        EXPECT_NEAR(values(found)[v], expected[v], 1e-12)
            << n << " " << num_topics << " value " << v;
      }
    }
  }
}

TEST(Agreement, OfADocumentWithItselfIsPerfect) {
  const Index n = 70, num_topics = 6;
  std::vector<double> mixtures = some_mixtures(n, num_topics, false);
  const std::vector<double> copy = mixtures;
  mixtures.insert(mixtures.end(), copy.begin(), copy.end());
  const Agreement found = measure_agreement(mixtures, num_topics, halves(n));
  EXPECT_EQ(values(found), (std::vector<double>{0, 0, 1, 5, 1, 1, 1, 1}));
  // More topics than there are: all of them.
  EXPECT_EQ(measure_agreement(mixtures, num_topics, halves(n), {100}).top_topics, 6);
}

TEST(Agreement, MixturesThatAreAllAlikeFindNothing) {
  const Index n = 9;
  const std::vector<double> mixtures(2 * n * 4, 0.25);
  const Agreement found = measure_agreement(mixtures, 4, halves(n));
  EXPECT_EQ(found.l2, 0);
  EXPECT_EQ(found.first_topic, 1);
  EXPECT_EQ(found.forth.first, 0);
  EXPECT_NEAR(found.forth.reciprocal_rank, 1.0 / 5, 1e-15);  // the mean of ranks 1 … 9
}

TEST(Agreement, SwappingThePairsSwapsTheWays) {
  const std::vector<double> mixtures = some_mixtures(120, 5, true);
  const Pairs pairs = halves(60);
  Pairs swapped;
  for (const auto& [a, b] : pairs) swapped.push_back({b, a});
  const Agreement one = measure_agreement(mixtures, 5, pairs);
  const Agreement two = measure_agreement(mixtures, 5, swapped);
  EXPECT_EQ(one.forth.reciprocal_rank, two.back.reciprocal_rank);
  EXPECT_EQ(one.back.first, two.forth.first);
  EXPECT_EQ(one.l2, two.l2);
  EXPECT_EQ(one.top_topics, two.top_topics);
}

TEST(Agreement, SameBitsForAnyNumberOfThreads) {
  const std::vector<double> mixtures = some_mixtures(700, 11, false);
  const std::vector<double> alone = values(measure_agreement(mixtures, 11, halves(350), {}, 1));
  EXPECT_EQ(values(measure_agreement(mixtures, 11, halves(350), {}, 3)), alone);
  EXPECT_EQ(values(measure_agreement(mixtures, 11, halves(350), {}, 8)), alone);
}

TEST(Agreement, RanksGoOnOverManyBlocksOfCandidates) {
  // 2048 dimensions: a block is one tile. Point i lies at i on a line; query i wants 99 − i.
  const Index n = 100, dimensions = 2048;
  std::vector<float> queries(n * dimensions, 0.0F), candidates(n * dimensions, 0.0F);
  for (Index i = 0; i < n; ++i) {
    queries[i * dimensions + 5] = static_cast<float>(i);
    candidates[i * dimensions + 5] = static_cast<float>(99 - i);
  }
  const std::vector<double> ranks = ranks_of_partners(queries, candidates, dimensions, 2);
  for (Index i = 0; i < n; ++i) {
    Index nearer = 0, equal = 0;
    const auto away = [&](Index j) {
      return std::abs(static_cast<int>(i) - (99 - static_cast<int>(j)));
    };
    for (Index j = 0; j < n; ++j) {
      nearer += away(j) < away(i) ? 1 : 0;
      equal += away(j) == away(i) ? 1 : 0;
    }
    EXPECT_EQ(ranks[i], static_cast<double>(nearer) + static_cast<double>(equal + 1) / 2);
  }
}

TEST(Agreement, WithoutAPairIsNotKnown) {
  const Agreement found = measure_agreement(std::vector<double>{0.5, 0.5}, 2, {});
  EXPECT_EQ(found.pairs, 0u);
  for (const double value : values(found)) EXPECT_TRUE(std::isnan(value));
}

TEST(Agreement, RefusesWhatDoesNotGoTogether) {
  const std::vector<double> mixtures = some_mixtures(4, 3, false);
  const auto refuses = [&](Index num_topics, const Pairs& pairs, Index count) {
    EXPECT_THROW(measure_agreement(mixtures, num_topics, pairs, {count}), UsageError);
  };
  refuses(0, {}, 5);
  refuses(5, {}, 5);
  refuses(3, {{0, 4}}, 5);
  refuses(3, {{4, 0}}, 5);
  refuses(3, {{0, 1}, {0, 2}}, 5);
  refuses(3, {{0, 1}, {2, 1}}, 5);
  refuses(3, {{0, 1}}, 0);
  EXPECT_THROW(ranks_of_partners(std::vector<float>(4), std::vector<float>(6), 2, 1), UsageError);
}

}  // namespace
}  // namespace trellis::topics::agreement_test
