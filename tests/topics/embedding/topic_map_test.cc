#include "trellis/topics/embedding/topic_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/embedding/leading_axes.h"

namespace trellis::topics::topic_map_test {
namespace {

double squared_distance(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

TEST(JensenShannon, IsItsDefinition) {
  const std::vector<double> p = {0.5, 0.5, 0}, q = {0, 0.25, 0.75};
  const auto kl = [](double a, double b) { return a == 0 ? 0 : a * std::log(a / b); };
  double expected = 0;
  for (Index i = 0; i < 3; ++i) {
    const double m = (p[i] + q[i]) / 2;
    expected += (kl(p[i], m) + kl(q[i], m)) / 2;
  }
  EXPECT_NEAR(jensen_shannon(p, q), expected, 1e-14);
  EXPECT_EQ(jensen_shannon(p, p), 0);
  const std::vector<double> here = {1, 0}, there = {0, 1};
  EXPECT_NEAR(jensen_shannon(here, there), std::log(2), 1e-14);
}

TEST(ClassicalScaling, FindsPlacesOfAPlaneAgain) {
  Random random(1);
  std::vector<Point> places(40);
  for (Point& place : places) place = {3 * random.normal(), random.normal()};
  std::vector<double> table;
  for (const Point& a : places) {
    for (const Point& b : places) table.push_back(squared_distance(a, b));
  }
  const std::vector<Point> found = classical_scaling(table, places.size());
  for (Index i = 0; i < places.size(); ++i) {
    for (Index j = 0; j < places.size(); ++j) {
      EXPECT_NEAR(squared_distance(found[i], found[j]), table[i * places.size() + j], 1e-6);
    }
  }
}

TEST(ClassicalScaling, FewTopicsHavePlaces) {
  EXPECT_TRUE(classical_scaling({}, 0).empty());
  EXPECT_EQ(classical_scaling(std::vector<double>{0}, 1).size(), 1U);
  const std::vector<Point> two = classical_scaling(std::vector<double>{0, 4, 4, 0}, 2);
  EXPECT_NEAR(squared_distance(two[0], two[1]), 4, 1e-9);
  EXPECT_THROW(classical_scaling(std::vector<double>{0, 1}, 2), UsageError);
}

// Topics of some words each, the last one of none, with a prior of its own for each word.
LdaModel some_topics(Index topics, Index words) {
  Random random(7);
  std::vector<double> beta(words);
  for (double& b : beta) b = 0.01 + random.uniform();
  std::vector<std::uint64_t> begin = {0};
  std::vector<LdaModel::Entry> entries;
  for (Index w = 0; w < words; ++w) {
    for (std::uint32_t k = 0; k + 1 < topics; ++k) {
      if (random.below(3) == 0) entries.push_back({k, 1 + 10 * random.uniform()});
    }
    begin.push_back(entries.size());
  }
  return {std::vector<double>(topics, 0.1), beta, begin, entries};
}

TEST(TopicMap, DivergencesAreThoseOfWholeRows) {
  constexpr Index kTopics = 40, kWords = 150;
  const LdaModel model = some_topics(kTopics, kWords);
  std::vector<Index> chosen;
  for (Index k = kTopics; k-- > 1;) chosen.push_back(k);  // all but the first, the last in front
  std::vector<std::vector<double>> whole(kTopics, std::vector<double>(kWords));
  for (Index w = 0; w < kWords; ++w) {
    std::vector<double> phi(kTopics);
    model.word_probabilities(w, phi);
    for (Index k = 0; k < kTopics; ++k) whole[k][w] = phi[k];
  }
  const TopicRows rows = rows_of_topics(model, chosen);
  EXPECT_TRUE(rows.words_of(0).empty());
  const std::vector<double> table = jensen_shannon_table(rows, 2);
  for (Index i = 0; i < chosen.size(); ++i) {
    for (Index j = 0; j < chosen.size(); ++j) {
      const double expected = i == j ? 0 : jensen_shannon(whole[chosen[i]], whole[chosen[j]]);
      EXPECT_NEAR(table[i * chosen.size() + j], expected, 1e-13);
    }
  }
  EXPECT_EQ(table, jensen_shannon_table(rows, 1));
}

TEST(TopicRows, ForemostWordsLeaveADistribution) {
  const TopicRows all = rows_of_topics(some_topics(5, 60), std::vector<Index>{0, 1, 2, 3, 4});
  const TopicRows few = foremost_words(all, 6);
  for (Index k = 0; k < all.size(); ++k) {
    const std::span<const double> kept = few.probabilities_of(k), whole = all.probabilities_of(k);
    ASSERT_EQ(kept.size(), k == 4 ? 0U : 6U);
    EXPECT_TRUE(std::is_sorted(few.words_of(k).begin(), few.words_of(k).end()));
    double total = few.rest[k] * std::accumulate(few.beta.begin(), few.beta.end(), 0.0);
    double least = 1;
    for (Index i = 0; i < kept.size(); ++i) {
      total += kept[i] - few.rest[k] * few.beta[few.words_of(k)[i]];
      least = std::min(least, kept[i]);
    }
    EXPECT_NEAR(total, 1, 1e-12);
    const auto above =
        std::count_if(whole.begin(), whole.end(), [&](double p) { return p > least; });
    EXPECT_LT(above, 6);
  }
  const TopicRows same = foremost_words(all, 1000);
  EXPECT_EQ(same.words, all.words);
  EXPECT_EQ(same.rest, all.rest);
}

TEST(TopicMap, AlikeTopicsLieTogether) {
  const LdaModel model({1, 1, 1}, {0.01, 0.01, 0.01, 0.01}, {0, 2, 4, 5, 5},
                       {{0, 50}, {1, 45}, {0, 50}, {1, 55}, {2, 100}});
  const TopicRows rows = rows_of_topics(model, std::vector<Index>{0, 1, 2});
  const std::vector<Point> places = topic_map(rows, 1);
  EXPECT_LT(squared_distance(places[0], places[1]), 0.1 * squared_distance(places[0], places[2]));
  const std::vector<Point> again = topic_map(rows, 2);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(places[k].x, again[k].x);
}

TEST(TopicMap, ComparesNoMoreOnceItIsToldToStop) {
  std::vector<Index> all(100);
  std::iota(all.begin(), all.end(), Index{0});
  const TopicRows rows = rows_of_topics(some_topics(100, 30), all);
  Index calls = 0;
  const std::vector<double> table = jensen_shannon_table(rows, 1, [&](Index done) {
    ++calls;
    EXPECT_LT(done, 100U);
    return false;
  });
  EXPECT_EQ(calls, 1U);
  EXPECT_GT(table[1], 0);
  EXPECT_EQ(table[99], 0);
}

TEST(LeadingAxes, AreEigenvectors) {
  // A = Q diag(9, 4, 1, …) Qᵀ with Q of one reflection.
  const Index n = 12;
  std::vector<double> u(n), values(n, 0.1);
  Random random(3);
  double squares = 0;
  for (double& x : u) {
    x = random.normal();
    squares += x * x;
  }
  for (double& x : u) x /= std::sqrt(squares);
  values[0] = 9;
  values[1] = 4;
  values[2] = 1;
  const auto reflect = [&](std::vector<double> v) {
    double along = 0;
    for (Index i = 0; i < n; ++i) along += u[i] * v[i];
    for (Index i = 0; i < n; ++i) v[i] -= 2 * along * u[i];
    return v;
  };
  const auto multiply = [&](std::span<const double> v, std::span<double> out) {
    std::vector<double> turned = reflect({v.begin(), v.end()});
    for (Index i = 0; i < n; ++i) turned[i] *= values[i];
    turned = reflect(turned);
    std::copy(turned.begin(), turned.end(), out.begin());
  };
  const LeadingAxes axes = leading_axes(n, 2, 60, multiply);
  EXPECT_NEAR(axes.values[0], 9, 1e-9);
  EXPECT_NEAR(axes.values[1], 4, 1e-9);
  for (Index axis = 0; axis < 2; ++axis) {
    std::vector<double> product(n);
    multiply(axes.vectors[axis], product);
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(product[i], axes.values[axis] * axes.vectors[axis][i], 1e-7);
    }
  }
}

}  // namespace
}  // namespace trellis::topics::topic_map_test
