#include "trellis/generative/alignment/gibbs_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
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

constexpr double kUnset = -1e300;

// log of the likelihood of counts whose multinomial has a Dirichlet prior.
double log_dirichlet_multinomial(const std::vector<double>& counts,
                                 const std::vector<double>& prior) {
  double value = 0, total = 0, prior_total = 0;
  for (Index c = 0; c < counts.size(); ++c) {
    value += std::lgamma(prior[c] + counts[c]) - std::lgamma(prior[c]);
    total += counts[c];
    prior_total += prior[c];
  }
  return value + std::lgamma(prior_total) - std::lgamma(prior_total + total);
}

// log p(f, a | e) of gibbs_chain.h, up to a constant, from nothing but the links of both pairs.
double log_joint(const Bitext& bitext, const std::vector<Alignment>& links,
                 const GibbsOptions& options) {
  const Index generated = options.reverse ? bitext.source_words() : bitext.target_words();
  const Index generating = options.reverse ? bitext.target_words() : bitext.source_words();
  const auto reach = static_cast<Label>(options.reach);
  constexpr Index kFertilities = GibbsChain::kMostFertile + 1;
  std::vector<double> jumps(2 * options.reach + 1, 0.0), of_nothing(generated, 0.0);
  std::vector<std::vector<double>> words(generating, of_nothing);
  std::vector<std::vector<double>> fertilities(generating, std::vector<double>(kFertilities, 0.0));
  double value = 0;
  for (Index k = 0; k < bitext.size(); ++k) {
    const WordPair pair = options.reverse ? bitext[k].swapped() : bitext[k];
    std::vector<Index> fertility(pair.source.size(), 0);
    Label last = -1;
    const auto jump_to = [&](Label to) {
      jumps[static_cast<Index>(std::clamp(to - last, -reach, reach) + reach)] += 1;
      last = to;
    };
    for (Index j = 0; j < pair.target.size(); ++j) {
      const Label i = links[k][j];
      value += std::log(i == kNoLabel ? options.null : 1 - options.null);
      if (i == kNoLabel) {
        of_nothing[pair.target[j]] += 1;
        continue;
      }
      words[pair.source[static_cast<Index>(i)]][pair.target[j]] += 1;
      ++fertility[static_cast<Index>(i)];
      jump_to(i);
    }
    jump_to(static_cast<Label>(pair.source.size()));
    for (Index i = 0; i < fertility.size(); ++i) fertilities[pair.source[i]][fertility[i]] += 1;
  }
  value += log_dirichlet_multinomial(of_nothing, std::vector(generated, options.null_prior));
  value += log_dirichlet_multinomial(jumps, std::vector(jumps.size(), GibbsChain::kJumpPrior));
  std::vector<double> poisson;  // β g of mean 1
  double total = 0;
  for (Index phi = 0; phi < kFertilities; ++phi) {
    poisson.push_back(1 / std::tgamma(static_cast<double>(phi) + 1));
    total += poisson.back();
  }
  for (double& g : poisson) g *= GibbsChain::kFertilityPrior / total;
  for (Index e = 0; e < generating; ++e) {
    value += log_dirichlet_multinomial(words[e], std::vector(generated, options.lexical_prior));
    if (options.fertility) value += log_dirichlet_multinomial(fertilities[e], poisson);
  }
  return value;
}

// All states of both pairs, with their probability. A chain that is put there says the same, up to
// a constant.
std::map<std::vector<Label>, double> exact(const Bitext& bitext, const EntryIndex& links,
                                           Index entries, const GibbsOptions& options) {
  std::map<std::vector<Label>, double> joint;
  double total = 0, constant = kUnset;
  for (const Alignment& a : all_alignments({2, 2})) {
    for (const Alignment& b : all_alignments({2, 2})) {
      const double value = log_joint(bitext, {a, b}, options);
      GibbsChain chain(bitext, links, entries, options);
      chain.start(0, a);
      chain.start(1, b);
      if (constant == kUnset) constant = chain.log_joint() - value;
      EXPECT_NEAR(chain.log_joint() - value, constant, 1e-9);
      std::vector<Label> state = a;
      state.insert(state.end(), b.begin(), b.end());
      total += joint[state] = std::exp(value);
    }
  }
  for (auto& [state, p] : joint) p /= total;
  return joint;
}

TEST(GibbsChain, DrawsFollowTheExactPosterior) {
  const Bitext bitext = tiny();
  const Cooccurrence found = count_cooccurrences(bitext, 1);
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
  const Cooccurrence found = count_cooccurrences(bitext, 1);
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
