#include "trellis/learn/online/perceptron.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/learn/test_oracles.h"

namespace trellis::testing {
namespace {

PerceptronOptions options(Index epochs, bool average, Index max_voters) {
  PerceptronOptions options;
  options.max_epochs = epochs;
  options.average = average;
  options.max_voters = max_voters;
  return options;
}

// The vectors of the run, in order, with the number of examples that each survived: Freund &
// Schapire's Figure 1, for γ = 0 and examples in sequence.
std::vector<Voter> run_literally(const HingeOracle& oracle, Index epochs) {
  std::vector<Voter> voters = {{std::vector<double>(oracle.dimension()), 0}};
  const auto scratch = oracle.make_scratch();
  Cut cut;
  for (Index t = 0; t < epochs * oracle.num_examples(); ++t) {
    oracle.evaluate(t % oracle.num_examples(), voters.back().weights, *scratch, cut);
    if (cut.slope.squared_norm() > 0) {
      voters.push_back({voters.back().weights, 0});
      cut.slope.add_to(voters.back().weights, -1);
    }
    voters.back().votes += 1;
  }
  if (voters.front().votes == 0) voters.erase(voters.begin());
  return voters;
}

TEST(Perceptron, VotersAreThoseOfThePaper) {
  const ClassificationData data = ClassificationData::random(3, 20, 4, 3);
  const MarginOracle oracle(data, 0);
  PerceptronOptions all = options(4, true, 1000);
  all.order = VisitOrder::kSequential;
  std::vector<double> w(oracle.dimension());
  const PerceptronSummary summary = perceptron(oracle, all, w);
  const std::vector<Voter> expected = run_literally(oracle, 4);
  ASSERT_EQ(summary.voters.size(), expected.size());
  for (Index k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(summary.voters[k].weights, expected[k].weights);
    EXPECT_EQ(summary.voters[k].votes, expected[k].votes);
  }
}

TEST(Perceptron, MeanIsTheVotersWeightedByTheirVotes) {
  const ClassificationData data = ClassificationData::random(4, 25, 4, 3);
  const MarginOracle oracle(data, 0);
  std::vector<double> w(oracle.dimension());
  const PerceptronSummary summary = perceptron(oracle, options(3, true, 1000), w);
  std::vector<double> mean(w.size());
  double votes = 0;
  for (const Voter& voter : summary.voters) {
    votes += voter.votes;
    for (Index j = 0; j < w.size(); ++j) mean[j] += voter.votes * voter.weights[j];
  }
  EXPECT_EQ(votes, 75);
  for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], mean[j] / votes, 1e-12);
}

TEST(Perceptron, KeepsTheLongestSurvivorOfEachSliceWhenThereAreTooMany) {
  const ClassificationData data = ClassificationData::random(4, 30, 4, 3);
  const MarginOracle oracle(data, 0);
  PerceptronOptions few = options(4, true, 5);
  few.order = VisitOrder::kSequential;
  std::vector<double> w(oracle.dimension());
  const PerceptronSummary summary = perceptron(oracle, few, w);
  const std::vector<Voter> all = run_literally(oracle, 4);
  ASSERT_GT(all.size(), 5U);

  std::vector<Voter> expected;
  Index last_slice = 99;
  Index birth = 0;
  for (const Voter& voter : all) {
    const Index slice = birth * 5 / 120;
    if (slice != last_slice) {
      expected.push_back(voter);
    } else if (voter.votes > expected.back().votes) {
      expected.back() = voter;
    }
    last_slice = slice;
    birth += static_cast<Index>(voter.votes);
  }
  ASSERT_EQ(summary.voters.size(), expected.size());
  for (Index k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(summary.voters[k].weights, expected[k].weights);
    EXPECT_EQ(summary.voters[k].votes, expected[k].votes);
  }
}

TEST(Perceptron, WithoutAveragingReturnsTheLastVoter) {
  const ClassificationData data = ClassificationData::random(5, 20, 4, 3);
  const MarginOracle oracle(data, 0);
  std::vector<double> w(oracle.dimension());
  const PerceptronSummary summary = perceptron(oracle, options(2, false, 1000), w);
  EXPECT_EQ(w, summary.voters.back().weights);
}

TEST(Perceptron, ConvergesOnSeparableData) {
  ClassificationData data = ClassificationData::random(6, 30, 6, 3);
  // Labels by the linear model itself, and a margin.
  std::vector<double> truth(data.dimension());
  Random draw(1);
  for (double& weight : truth) weight = draw.normal();
  std::vector<ClassificationData::Example> separable;
  for (auto& example : data.examples) {
    std::vector<double> scores;
    data.scores(example, truth, scores);
    example.label =
        static_cast<Index>(std::max_element(scores.begin(), scores.end()) - scores.begin());
    std::sort(scores.rbegin(), scores.rend());
    if (scores[0] - scores[1] > 0.5) separable.push_back(example);
  }
  data.examples = separable;
  ASSERT_GT(data.examples.size(), 10U);
  const MarginOracle oracle(data, 0);
  std::vector<double> w(oracle.dimension());
  const PerceptronSummary summary = perceptron(oracle, options(10000, false, 0), w);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_EQ(objective(oracle, w, 0), 0);
}

}  // namespace
}  // namespace trellis::testing
