#include "trellis/generative/hmm/baum_welch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hmm_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/generative/hmm/estimation.h"
#include "trellis/generative/hmm/hmm_inference.h"
#include "trellis/generative/hmm/hmm_sampler.h"

namespace trellis::testing {
namespace {

std::vector<HmmSequence> draw_sequences(const Hmm& model, Index count, Index length,
                                        std::uint64_t seed) {
  const HmmSampler sampler(model);
  std::vector<HmmSequence> sequences;
  for (Index n = 0; n < count; ++n) {
    Random random(seed, n);
    sequences.push_back(sampler.sample(length, random));
  }
  return sequences;
}

std::vector<HmmSequence> without_states(std::vector<HmmSequence> sequences) {
  for (HmmSequence& sequence : sequences) sequence.states.clear();
  return sequences;
}

TEST(BaumWelch, TheObjectiveNeverFalls) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const HmmAlphabet alphabet = small_alphabet(2 + random.below(5), {5, 3});
    const Hmm truth = random_hmm(alphabet, random, 0.2, 2);
    std::vector<HmmSequence> sequences =
        without_states(draw_sequences(truth, 10, 20, random.next()));
    sequences[0].observations[3] = Hmm::kMissing;
    BaumWelchOptions options;
    options.restarts = 3;
    options.max_iterations = 40;
    options.tolerance = 0;
    options.smoothing = trial % 2 == 0 ? 0 : 0.5;
    const BaumWelchResult result = baum_welch(alphabet, sequences, options);
    ASSERT_EQ(result.runs.size(), 3);
    for (const BaumWelchRun& run : result.runs) {
      ASSERT_GE(run.objectives.size(), 20);  // not stopped by a fall
      for (Index n = 1; n < run.objectives.size(); ++n) {
        EXPECT_GE(run.objectives[n], run.objectives[n - 1]);
      }
      EXPECT_LE(run.objectives.back(), result.runs[result.best].objectives.back());
    }
    const HmmInference inference(result.model);
    HmmScratch scratch;
    double sum = 0;
    for (const HmmSequence& x : sequences) sum += inference.log_likelihood(x, scratch);
    EXPECT_NEAR(sum, result.runs[result.best].log_likelihood, 1e-8);
  }
}

// One step of EM by brute force: expected counts by enumeration of all states.
TEST(BaumWelch, AStepIsTheTextbooks) {
  Random random(2);
  const HmmAlphabet alphabet = small_alphabet(3, {3});
  const Hmm start = random_hmm(alphabet, random);
  std::vector<HmmSequence> sequences;
  for (int n = 0; n < 4; ++n) sequences.push_back(random_observations(alphabet, 4, random));
  std::vector<double> counts(start.theta().size(), 0.0);
  for (const HmmSequence& x : sequences) {
    const Enumeration all(start, x);
    for (Index n = 0; n < all.paths.size(); ++n) {
      const HmmSequence full{x.observations, all.paths[n]};
      const std::vector<double> one = count_parameters(alphabet, {&full, 1});
      for (Index p = 0; p < one.size(); ++p) {
        counts[p] += std::exp(all.scores[n] - all.log_likelihood) * one[p];
      }
    }
  }
  const std::vector<double> expected = log_frequencies(start.distributions(), counts, 0);
  BaumWelchOptions options;
  options.max_iterations = 1;
  const BaumWelchResult result = baum_welch_from({&start, 1}, sequences, options);
  for (Index p = 0; p < expected.size(); ++p) {
    EXPECT_NEAR(result.model.theta()[p], expected[p], 1e-10);
  }
}

// hmmlearn 0.3.3, both implementations: CategoricalHMM(3, n_features=4, init_params='',
// params='ste', n_iter=20, tol=-inf) with the start below on x[n][t] = (t² + 3nt + t/3) mod 4, n <
// 6, t < 25: score(X) before and after fit(X), and decode(X) before.
TEST(BaumWelch, AgreesWithHmmlearn) {
  std::vector<HmmSequence> sequences(6);
  for (std::uint32_t n = 0; n < 6; ++n) {
    for (std::uint32_t t = 0; t < 25; ++t) {
      sequences[n].observations.push_back((t * t + 3 * n * t + t / 3) % 4);
    }
  }
  std::vector<double> theta = {.5, .3, .2, .6, .3, .1, .2, .5, .3,  .3, .3,  .4,
                               .4, .3, .2, .1, .1, .2, .3, .4, .25, .3, .25, .2};
  for (double& p : theta) p = std::log(p);
  const Hmm start(small_alphabet(3, {4}), theta);
  const HmmInference inference(start);
  HmmScratch scratch;
  double best = 0;
  std::vector<Label> path;
  for (const HmmSequence& x : sequences) best += inference.viterbi(x, scratch, path);
  EXPECT_NEAR(best, -284.9310959093182, 1e-9);
  inference.viterbi(sequences[0], scratch, path);
  EXPECT_EQ(path, (std::vector<Label>{0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0,
                                      0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}));
  BaumWelchOptions options;
  options.max_iterations = 20;
  options.tolerance = 0;
  const BaumWelchResult result = baum_welch_from({&start, 1}, sequences, options);
  EXPECT_NEAR(result.runs[0].objectives.front(), -207.0506135733916, 1e-9);
  EXPECT_NEAR(result.runs[0].objectives.back(), -187.251725257347, 1e-7);
  EXPECT_NEAR(std::exp(result.model.transitions(1)[0]), 0.01399456, 1e-7);
}

TEST(BaumWelch, HasTheSameBitsForAnyNumberOfThreads) {
  Random random(3);
  const HmmAlphabet alphabet = small_alphabet(4, {6});
  const std::vector<HmmSequence> sequences =
      without_states(draw_sequences(random_hmm(alphabet, random), 50, 30, 7));
  BaumWelchOptions options;
  options.restarts = 2;
  options.max_iterations = 10;
  const BaumWelchResult one = baum_welch(alphabet, sequences, options);
  options.threads = 4;
  const BaumWelchResult four = baum_welch(alphabet, sequences, options);
  EXPECT_TRUE(std::equal(one.model.theta().begin(), one.model.theta().end(),
                         four.model.theta().begin(), four.model.theta().end()));
  EXPECT_EQ(one.runs[1].objectives, four.runs[1].objectives);
}

TEST(BaumWelch, KnownStatesAreKept) {
  Random random(4);
  const HmmAlphabet alphabet = small_alphabet(3, {4});
  const Hmm truth = random_hmm(alphabet, random, 0, 2);
  std::vector<HmmSequence> sequences = draw_sequences(truth, 200, 20, 5);
  BaumWelchOptions options;
  options.max_iterations = 3;
  // All known: the frequencies after one step, whatever the start.
  const BaumWelchResult all = baum_welch(alphabet, sequences, options);
  const Hmm counted = estimate_hmm(alphabet, sequences, 0);
  for (Index p = 0; p < counted.theta().size(); ++p) {
    EXPECT_NEAR(std::exp(all.model.theta()[p]), std::exp(counted.theta()[p]), 1e-12);
  }
  // Every third position known: the states keep their names, and the truth is near.
  for (HmmSequence& x : sequences) {
    for (Index t = 0; t < x.states.size(); ++t) {
      if (t % 3 != 0) x.states[t] = kNoLabel;
    }
  }
  options.max_iterations = 200;
  const BaumWelchResult some = baum_welch(alphabet, sequences, options);
  for (Index p = 0; p < truth.theta().size(); ++p) {
    EXPECT_NEAR(std::exp(some.model.theta()[p]), std::exp(truth.theta()[p]), 0.1);
  }
}

TEST(BaumWelch, StopsWhenToldAndRefusesWhatIsImpossible) {
  const HmmAlphabet alphabet = small_alphabet(2, {2});
  const std::vector<HmmSequence> sequences = {{{0, 1, 0}, {}}};
  BaumWelchOptions options;
  options.restarts = 5;
  const BaumWelchResult result = baum_welch(
      alphabet, sequences, options, [](const BaumWelchStep& step) { return step.restart == 0; });
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.runs.size(), 2);
  const Hmm start(alphabet,
                  {0, -kInfinity, 0, -kInfinity, 0, -kInfinity, 0, -kInfinity, 0, -kInfinity});
  EXPECT_THROW(baum_welch_from({&start, 1}, sequences, options), UsageError);
  EXPECT_THROW(baum_welch(alphabet, {}, options), UsageError);
  options.smoothing = -1;
  EXPECT_THROW(baum_welch(alphabet, sequences, options), UsageError);
}

TEST(Estimation, CountsWhatIsKnown) {
  const HmmAlphabet alphabet = small_alphabet(2, {2});
  const std::vector<HmmSequence> sequences = {{{0, 1, Hmm::kMissing, 0}, {0, 0, 1, kNoLabel}},
                                              {{1, 1}, {1, 0}}};
  EXPECT_EQ(count_parameters(alphabet, sequences),
            (std::vector<double>{1, 1, 1, 1, 1, 0, 1, 2, 0, 1}));
  const Hmm smoothed = estimate_hmm(alphabet, sequences, 1);
  EXPECT_NEAR(std::exp(smoothed.transitions(1)[0]), 2.0 / 3, 1e-15);
  EXPECT_NEAR(std::exp(smoothed.emissions(0, 0)[1]), 3.0 / 5, 1e-15);
  const Hmm exact = estimate_hmm(alphabet, sequences, 0);
  EXPECT_EQ(exact.transitions(1)[1], -kInfinity);
  // A state that is never seen: uniform.
  const HmmAlphabet more = small_alphabet(3, {2});
  EXPECT_NEAR(std::exp(estimate_hmm(more, sequences, 0).transitions(2)[1]), 1.0 / 3, 1e-15);
  EXPECT_THROW(estimate_hmm(alphabet, std::vector<HmmSequence>{{{5}, {0}}}, 1), UsageError);
  EXPECT_THROW(estimate_hmm(alphabet, std::vector<HmmSequence>{{{0}, {2}}}, 1), UsageError);
  EXPECT_THROW(estimate_hmm(alphabet, std::vector<HmmSequence>{{{0}, {}}}, 1), UsageError);
  EXPECT_THROW(estimate_hmm(alphabet, sequences, std::nan("")), UsageError);
}

}  // namespace
}  // namespace trellis::testing
