#include "trellis/generative/hmm/hmm_inference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "hmm_enumeration.h"
#include "tests/solve/vectors/each_target.h"
#include "trellis/base/error.h"
#include "trellis/generative/hmm/hmm_sampler.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis::testing {
namespace {

// The posteriors and expected counts of one sequence, against all sequences of states.
void expect_agreement(const Hmm& model, const HmmSequence& x, HmmScratch& scratch) {
  const HmmInference inference(model);
  const Enumeration all(model, x);
  const Index states = model.num_states(), length = x.observations.size() / model.num_channels();
  std::vector<Label> path;
  const double best = inference.viterbi(x, scratch, path);
  std::vector<double> marginals(length * states), sums(inference.num_sums(), 0.0);
  const double value = inference.posteriors(x, scratch, marginals);
  EXPECT_EQ(inference.add_expectations(x, scratch, sums), value);
  if (all.best == -kInfinity) {
    EXPECT_EQ(best, -kInfinity);
    EXPECT_EQ(value, -kInfinity);
    EXPECT_EQ(inference.log_likelihood(x, scratch), -kInfinity);
    EXPECT_TRUE(path.empty());
    return;
  }
  const double slack = 1e-10 * std::max(1.0, std::abs(all.best));
  EXPECT_NEAR(best, all.best, slack);
  HmmSequence labelled = x;
  labelled.states = path;
  EXPECT_NEAR(model.log_probability(labelled), all.best, slack);
  EXPECT_NEAR(value, all.log_likelihood, slack);
  EXPECT_NEAR(inference.log_likelihood(x, scratch), all.log_likelihood, slack);
  const std::vector<double> counts = inference.expected_counts(sums);
  for (Index i = 0; i < states; ++i) {
    for (Index t = 0; t < length; ++t) {
      const double expected = all.probability(
          [&](const std::vector<Label>& s) { return s[t] == static_cast<Label>(i); });
      EXPECT_NEAR(marginals[t * states + i], expected, 1e-9);
      if (t == 0) {
        EXPECT_NEAR(counts[i], expected, 1e-9);
      }
    }
    for (Index j = 0; j < states; ++j) {
      double expected = 0;
      for (Index t = 1; t < length; ++t) {
        expected += all.probability([&](const std::vector<Label>& s) {
          return s[t - 1] == static_cast<Label>(i) && s[t] == static_cast<Label>(j);
        });
      }
      EXPECT_NEAR(counts[model.distributions().begin(model.transition_row(i)) + j], expected, 1e-9);
    }
    for (Index k = 0; k < model.num_channels(); ++k) {
      std::vector<double> expected(model.num_values(k), 0.0);
      for (Index t = 0; t < length; ++t) {
        const std::uint32_t value = x.observations[t * model.num_channels() + k];
        if (value != Hmm::kMissing) expected[value] += marginals[t * states + i];
      }
      for (Index o = 0; o < expected.size(); ++o) {
        EXPECT_NEAR(counts[model.distributions().begin(model.emission_row(k, i)) + o], expected[o],
                    1e-9);
      }
    }
  }
}

TEST(HmmInference, EqualsEnumeration) {
  Random random(1);
  HmmScratch scratch;
  for (int trial = 0; trial < 300; ++trial) {
    const HmmAlphabet alphabet = small_alphabet(
        1 + random.below(4),
        trial % 3 == 0 ? std::vector<Index>{3, 2, 4} : std::vector<Index>{1 + random.below(5)});
    const double sharpness = std::vector<double>{1, 10, 100, 1000}[random.below(4)];
    const Hmm model = random_hmm(alphabet, random, trial % 2 == 0 ? 0.3 : 0.0, sharpness);
    HmmSequence x =
        random_observations(alphabet, 1 + random.below(5), random, trial % 5 == 0 ? 0.3 : 0.0);
    if (trial % 4 == 0) {  // some states are known
      x.states.assign(x.observations.size() / alphabet.channels.size(), kNoLabel);
      for (Label& state : x.states) {
        if (random.uniform() < 0.4)
          state = static_cast<Label>(random.below(alphabet.states.size()));
      }
    }
    expect_agreement(model, x, scratch);
  }
}

// The chain of structure/ has the same sums by other code.
TEST(HmmInference, EqualsTheChainOnLongSequences) {
  Random random(2);
  HmmScratch scratch;
  Chain::Scratch chain_scratch;
  for (const Index states : std::vector<Index>{2, 3, 7, 8, 10, 17, 33, 50}) {
    const HmmAlphabet alphabet = small_alphabet(states, {6});
    const Hmm model = random_hmm(alphabet, random);
    const HmmSequence x = random_observations(alphabet, 300, random);
    const HmmInference inference(model);
    const ChainStates chain_states{TransitionRules(states)};
    const Chain chain(chain_states, 300);
    std::vector<double> s(chain.num_parts(), 0.0), z(s.size());
    for (Index t = 0; t < 300; ++t) {
      for (Index i = 0; i < states; ++i) {
        s[chain.node_part(t, static_cast<Label>(i))] = model.emissions(0, i)[x.observations[t]];
      }
    }
    for (Index p = 0; p < states + states * states; ++p) {
      s[chain.transition_part(0, p)] = model.theta()[p];
    }
    std::vector<double> marginals(300 * states);
    EXPECT_NEAR(inference.posteriors(x, scratch, marginals),
                chain.log_partition(s, chain_scratch, z), 1e-9);
    for (Index p = 0; p < marginals.size(); ++p) EXPECT_NEAR(marginals[p], z[p], 1e-11);
    Chain::Output y;
    std::vector<Label> path;
    EXPECT_NEAR(inference.viterbi(x, scratch, path), chain.maximize(s, chain_scratch, y), 1e-9);
    EXPECT_EQ(path, y);
    std::vector<double> sums(inference.num_sums(), 0.0);
    inference.add_expectations(x, scratch, sums);
    const std::vector<double> counts = inference.expected_counts(sums);
    for (Index p = 0; p < states + states * states; ++p) {
      EXPECT_NEAR(counts[p], z[chain.transition_part(0, p)], 1e-9);
    }
  }
}

// A state that a thousand steps have made all but impossible is rescued by what no other state can
// emit: out of reach for the scaled domain, where it would be lost.
TEST(HmmInference, WhatScalingWouldLoseIsNotLost) {
  const HmmAlphabet alphabet = small_alphabet(2, {3});
  const double half = std::log(0.5), rare = std::log(1e-3);
  const Hmm model(alphabet, {half, half,                           //
                             0.0, -kInfinity, -kInfinity, 0.0,     //
                             std::log1p(-1e-3), rare, -kInfinity,  //
                             rare, std::log1p(-2e-3), rare});
  HmmScratch scratch;
  const HmmInference inference(model);
  HmmSequence x;
  x.observations.assign(400, 0);
  x.observations.push_back(2);  // only state 1 can
  const double expected = half + 401 * rare;
  std::vector<double> marginals(401 * 2);
  EXPECT_NEAR(inference.log_likelihood(x, scratch), expected, 1e-8);
  EXPECT_NEAR(inference.posteriors(x, scratch, marginals), expected, 1e-8);
  EXPECT_NEAR(marginals[1], 1, 1e-12);
  Random random(1);
  std::vector<Label> path;
  inference.sample_states(x, random, scratch, path);
  EXPECT_EQ(path, std::vector<Label>(401, 1));
  // Without that, it stays lost to all practical purposes, and nothing goes wrong.
  x.observations.back() = 0;
  EXPECT_NEAR(inference.posteriors(x, scratch, marginals), half + 401 * std::log1p(-1e-3), 1e-8);
  EXPECT_NEAR(marginals[800], 1, 1e-12);
}

TEST(HmmInference, TiesGoToTheSmallestStatesReadFromTheEnd) {
  HmmScratch scratch;
  std::vector<Label> path;
  for (const Index states : std::vector<Index>{1, 2, 3, 5, 8, 9, 20}) {
    const Hmm model = Hmm::uniform(small_alphabet(states, {2}));
    const HmmInference inference(model);
    const HmmSequence x{{0, 1, 0, 1}, {}};
    inference.viterbi(x, scratch, path);
    EXPECT_EQ(path, (std::vector<Label>{0, 0, 0, 0}));
    inference.posterior_states(x, scratch, path);
    EXPECT_EQ(path, (std::vector<Label>{0, 0, 0, 0}));
  }
}

TEST(HmmInference, DrawsOfStatesFollowThePosterior) {
  Random random(3);
  HmmScratch scratch;
  std::vector<Label> path;
  for (const double sharpness : {1.0, 300.0}) {  // the second in the log domain
    const HmmAlphabet alphabet = small_alphabet(3, {2});
    Hmm model = random_hmm(alphabet, random, 0, sharpness);
    if (sharpness > 1) {  // a tiny probability beside even ones
      const Hmm even = Hmm::uniform(alphabet);
      std::vector<double> theta(even.theta().begin(), even.theta().end());
      theta[3] = -300;
      model = Hmm(alphabet, theta);
    }
    const HmmInference inference(model);
    const HmmSequence x = random_observations(alphabet, 3, random);
    const Enumeration all(model, x);
    std::map<std::vector<Label>, double> counts;
    const int draws = 20000;
    for (int n = 0; n < draws; ++n) {
      inference.sample_states(x, random, scratch, path);
      ++counts[path];
    }
    for (Index n = 0; n < all.paths.size(); ++n) {
      const double p = std::exp(all.scores[n] - all.log_likelihood);
      EXPECT_NEAR(counts[all.paths[n]] / draws, p, 5 * std::sqrt(p * (1 - p) / draws) + 1e-4);
    }
  }
}

TEST(HmmInference, HasTheSameBitsOnEveryVectorWidth) {
  Random random(4);
  for (const Index states : std::vector<Index>{3, 10, 19}) {
    const HmmAlphabet alphabet = small_alphabet(states, {5, 4});
    const Hmm model = random_hmm(alphabet, random, 0.1);
    const HmmSequence x = random_observations(alphabet, 100, random, 0.1);
    const auto results = on_each_target([&] {
      const HmmInference inference(model);
      HmmScratch scratch;
      std::vector<double> out(inference.num_sums(), 0.0);
      out.push_back(inference.add_expectations(x, scratch, std::span(out)));
      std::vector<Label> path;
      out.push_back(inference.viterbi(x, scratch, path));
      for (const Label state : path) out.push_back(static_cast<double>(state));
      return out;
    });
    for (const std::vector<double>& result : results) {
      ASSERT_EQ(result.size(), results[0].size());
      for (Index i = 0; i < result.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(result[i]),
                  std::bit_cast<std::uint64_t>(results[0][i]));
      }
    }
  }
}

TEST(HmmInference, RefusesWhatDoesNotFit) {
  const Hmm model = Hmm::uniform(small_alphabet(2, {3, 2}));
  const HmmInference inference(model);
  HmmScratch scratch;
  EXPECT_THROW(inference.log_likelihood({{0, 1, 2}, {}}, scratch), UsageError);
  EXPECT_THROW(inference.log_likelihood({{0, 2}, {}}, scratch), UsageError);
  EXPECT_THROW(inference.log_likelihood({{0, 1}, {2}}, scratch), UsageError);
  EXPECT_THROW(inference.log_likelihood({{0, 1}, {0, 0}}, scratch), UsageError);
  EXPECT_EQ(inference.log_likelihood({}, scratch), 0);
}

TEST(HmmSampler, DrawsFollowTheModel) {
  Random random(5);
  const HmmAlphabet alphabet = small_alphabet(2, {2});
  const Hmm model = random_hmm(alphabet, random);
  const HmmSampler sampler(model);
  std::map<std::vector<std::uint32_t>, double> counts;
  const int draws = 20000;
  for (int n = 0; n < draws; ++n) ++counts[sampler.sample(3, random).observations];
  const HmmInference inference(model);
  HmmScratch scratch;
  for (const auto& [observations, count] : counts) {
    const double p = std::exp(inference.log_likelihood({observations, {}}, scratch));
    EXPECT_NEAR(count / draws, p, 5 * std::sqrt(p * (1 - p) / draws));
  }
}

TEST(HmmSampler, MassesBelowOneAreScaledUpAndNoMassIsRefused) {
  const HmmAlphabet alphabet = small_alphabet(1, {2});
  const HmmSampler sampler(Hmm(alphabet, {-3, -5, -2, -kInfinity}));
  Random random(6);
  EXPECT_EQ(sampler.sample(20, random).observations, std::vector<std::uint32_t>(20, 0));
  const HmmSampler nothing(Hmm(alphabet, {0, 0, -kInfinity, -kInfinity}));
  EXPECT_THROW(nothing.sample(1, random), UsageError);
}

TEST(Hmm, RefusesTablesThatAreNone) {
  const HmmAlphabet alphabet = small_alphabet(1, {2});
  const double half = std::log(0.5);
  EXPECT_NO_THROW(Hmm(alphabet, {0, 0, half, half}));
  EXPECT_THROW(Hmm(alphabet, {0, 0, half}), UsageError);
  EXPECT_THROW(Hmm(alphabet, {0, 0, half, half + 0.1}), UsageError);
  EXPECT_THROW(Hmm(alphabet, {0, std::nan(""), half, half}), UsageError);
  EXPECT_THROW(Hmm(alphabet, {0, kInfinity, half, half}), UsageError);
  EXPECT_THROW(Hmm::uniform({{"a", "a"}, alphabet.channels}), UsageError);
  EXPECT_THROW(Hmm::uniform({{}, alphabet.channels}), UsageError);
  EXPECT_THROW(Hmm::uniform({{"a"}, {}}), UsageError);
  EXPECT_NEAR(Hmm(alphabet, {0, 0, half, half - 1}).missing_mass(2), 0.5 - 0.5 * std::exp(-1),
              1e-12);
}

}  // namespace
}  // namespace trellis::testing
