#include "trellis/solve/grammars/grammar_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

// A grammar and a sentence by the definition: weights of spans by recursion, unary rules applied
// again and again until nothing changes. `factor` multiplies what one symbol weighs over one span.
struct PlainGrammar {
  Index symbols = 0, n = 0;
  std::vector<BinaryRule> binary;
  std::vector<UnaryRule> unary;
  std::vector<double> words;

  PlainGrammar(std::uint64_t seed, bool circles) {
    Random random(seed);
    symbols = 1 + random.below(5);
    n = 1 + random.below(7);
    const auto symbol = [&] { return static_cast<std::uint32_t>(random.below(symbols)); };
    for (Index r = 0; r < 2 * symbols * symbols; ++r) {
      binary.push_back({symbol(), symbol(), symbol(), random.uniform()});
    }
    for (Index r = 0; r < symbols; ++r) {
      UnaryRule rule{symbol(), symbol(), 0.7 * random.uniform() / static_cast<double>(symbols)};
      if (!circles && rule.parent <= rule.child) continue;
      unary.push_back(rule);
    }
    for (Index i = 0; i < n * symbols; ++i) {
      words.push_back(random.below(3) == 0 ? 0 : random.uniform());
    }
  }

  ContextFreeGrammar grammar() const { return {symbols, 0, binary, unary}; }

  double total(Index from, Index to, std::uint32_t symbol, double factor) const {
    std::vector<std::vector<double>> inside((n + 1) * (n + 1), std::vector<double>(symbols, 0.0));
    const auto at = [&](Index i, Index j) -> std::vector<double>& {
      return inside[i * (n + 1) + j];
    };
    for (Index width = 1; width <= n; ++width) {
      for (Index i = 0; i + width <= n; ++i) {
        const Index j = i + width;
        std::vector<double> base(symbols, 0.0);
        for (Index a = 0; a < symbols && width == 1; ++a) base[a] = words[i * symbols + a];
        for (Index k = i + 1; k < j; ++k) {
          for (const BinaryRule& r : binary) {
            base[r.parent] += r.weight * at(i, k)[r.left] * at(k, j)[r.right];
          }
        }
        const bool here = i == from && j == to;
        std::vector<double>& all = at(i, j);
        for (int round = 0; round < 110; ++round) {
          std::vector<double> next = base;
          for (const UnaryRule& r : unary) next[r.parent] += r.weight * all[r.child];
          if (here) next[symbol] *= factor;
          all = next;
        }
      }
    }
    return at(0, n)[0];
  }
};

TEST(GrammarSums, AreThoseOfTheDefinition) {
  GrammarSums sums;
  Index parsed = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const PlainGrammar plain(seed, true);
    const ContextFreeGrammar grammar = plain.grammar();
    const double log_sum = sums.inside(grammar, plain.n, plain.words);
    const double total = plain.total(0, 0, 0, 1);
    if (total == 0) {
      EXPECT_EQ(log_sum, -kInfinity);
      continue;
    }
    ++parsed;
    EXPECT_NEAR(log_sum, std::log(total), 1e-10) << seed;
  }
  EXPECT_GT(parsed, 100U);
}

// d log Σ / d log factor at 1 is the expected count.
TEST(GrammarSums, ExpectedCountsAreDerivatives) {
  GrammarSums sums;
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    const PlainGrammar plain(seed, true);
    const ContextFreeGrammar grammar = plain.grammar();
    if (sums.inside(grammar, plain.n, plain.words) == -kInfinity) continue;
    sums.outside();
    std::vector<double> counts(plain.symbols);
    for (Index i = 0; i < plain.n; ++i) {
      for (Index j = i + 1; j <= plain.n; ++j) {
        sums.expected(i, j, counts);
        for (std::uint32_t a = 0; a < plain.symbols; ++a) {
          constexpr double kStep = 1e-5;
          const double slope = (std::log(plain.total(i, j, a, 1 + kStep)) -
                                std::log(plain.total(i, j, a, 1 - kStep))) /
                               (2 * kStep);
          EXPECT_NEAR(counts[a], slope, 1e-7 * (1 + slope))
              << seed << ' ' << i << ' ' << j << ' ' << a;
        }
      }
    }
  }
}

// All trees of a grammar without circles, one by one.
double weigh_trees(const PlainGrammar& plain, Index i, Index j, std::uint32_t symbol,
                   Index& count) {
  double sum = 0;
  if (j == i + 1 && plain.words[i * plain.symbols + symbol] > 0) {
    sum += plain.words[i * plain.symbols + symbol];
    ++count;
  }
  for (const UnaryRule& r : plain.unary) {
    if (r.parent == symbol) sum += r.weight * weigh_trees(plain, i, j, r.child, count);
  }
  for (Index k = i + 1; k < j; ++k) {
    for (const BinaryRule& r : plain.binary) {
      if (r.parent != symbol) continue;
      const double left = weigh_trees(plain, i, k, r.left, count);
      if (left > 0) sum += r.weight * left * weigh_trees(plain, k, j, r.right, count);
    }
  }
  return sum;
}

TEST(GrammarSums, AreSumsOverTrees) {
  GrammarSums sums;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    PlainGrammar plain(seed, false);
    plain.n = std::min<Index>(plain.n, 4);
    plain.words.resize(plain.n * plain.symbols);
    Index count = 0;
    const double total = weigh_trees(plain, 0, plain.n, 0, count);
    const double log_sum = sums.inside(plain.grammar(), plain.n, plain.words);
    if (total == 0) {
      EXPECT_EQ(log_sum, -kInfinity);
    } else {
      EXPECT_NEAR(log_sum, std::log(total), 1e-10);
    }
  }
}

// A → A A | word: as many trees as Catalan's numbers say, and words weigh next to nothing.
TEST(GrammarSums, LongSentencesDoNotVanish) {
  const std::vector<BinaryRule> binary{{0, 0, 0, 1e-3}};
  const ContextFreeGrammar grammar(1, 0, binary, {});
  constexpr Index kWords = 120;
  const std::vector<double> words(kWords, 1e-9);
  GrammarSums sums;
  double catalan = 0;  // log of C(n−1)
  for (Index k = 2; k < kWords; ++k) {
    catalan += std::log(4.0 * static_cast<double>(k) - 2) - std::log(static_cast<double>(k) + 1);
  }
  const double expected =
      catalan + static_cast<double>(kWords - 1) * std::log(1e-3) + kWords * std::log(1e-9);
  EXPECT_NEAR(sums.inside(grammar, kWords, words), expected, 1e-8 * std::abs(expected));
  sums.outside();
  std::vector<double> counts(1);
  sums.expected(0, 1, counts);
  EXPECT_NEAR(counts[0], 1, 1e-10);
  sums.expected(0, kWords, counts);
  EXPECT_NEAR(counts[0], 1, 1e-10);
}

// Rules and words of all sizes: tags of a word are expected once in all.
TEST(GrammarSums, EveryWordHasOneTagWhateverTheWeights) {
  GrammarSums sums;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    PlainGrammar plain(seed, false);
    Random random(seed + 1000);
    constexpr Index kWords = 20;
    const auto wild = [&] { return std::exp(100 * (random.uniform() - 0.5)); };
    for (BinaryRule& rule : plain.binary) rule.weight = wild();
    std::vector<double> words;
    for (Index i = 0; i < kWords * plain.symbols; ++i) words.push_back(wild());
    const ContextFreeGrammar grammar(plain.symbols, 0, plain.binary, {});
    if (sums.inside(grammar, kWords, words) == -kInfinity) continue;
    sums.outside();
    std::vector<double> counts(plain.symbols);
    for (Index i = 0; i < kWords; ++i) {
      sums.expected(i, i + 1, counts);
      double all = 0;
      for (const double count : counts) all += count;
      EXPECT_NEAR(all, 1, 1e-9) << seed << ' ' << i;
    }
  }
}

TEST(ContextFreeGrammar, RefusesWhatHasNoSum) {
  const std::vector<UnaryRule> circle{{0, 1, 1.0}, {1, 0, 1.0}};
  EXPECT_THROW(ContextFreeGrammar(2, 0, {}, circle), UsageError);
  const std::vector<UnaryRule> negative{{0, 1, -1.0}};
  EXPECT_THROW(ContextFreeGrammar(2, 0, {}, negative), UsageError);
  const std::vector<BinaryRule> unknown{{0, 1, 2, 1.0}};
  EXPECT_THROW(ContextFreeGrammar(2, 0, unknown, {}), UsageError);
  EXPECT_THROW(ContextFreeGrammar(2, 2, {}, {}), UsageError);
}

TEST(ContextFreeGrammar, ChainsAreSummed) {
  // 0 → 1 → 0 with 1/2 each: from 0 to 1, 1/2 (1 + 1/4 + …) = 2/3.
  const std::vector<UnaryRule> circle{{0, 1, 0.5}, {1, 0, 0.5}};
  const ContextFreeGrammar grammar(2, 0, {}, circle);
  ASSERT_EQ(grammar.chains().size(), 4U);
  for (const UnaryRule& chain : grammar.chains()) {
    EXPECT_DOUBLE_EQ(chain.weight, chain.parent == chain.child ? 1.0 / 3 : 2.0 / 3);
  }
}

}  // namespace
}  // namespace trellis
