#include "trellis/generative/network/network_em.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random_networks.h"
#include "trellis/base/error.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/generative/network/inference.h"

namespace trellis::network_em_test {
namespace {

using namespace trellis::testing;

// Values go missing by chance; variable `latent` in all rows.
NetworkData with_holes(const NetworkData& data, double chance, Index latent, Random& random) {
  NetworkData result(data.num_variables());
  std::vector<Label> row(data.num_variables());
  for (Index i = 0; i < data.size(); ++i) {
    for (Index v = 0; v < row.size(); ++v) {
      row[v] = v == latent || random.uniform() < chance ? kNoLabel : data.row(i)[v];
    }
    result.add(row, data.weight(i));
  }
  return result;
}

constexpr Index kNobody = static_cast<Index>(-1);

TEST(NetworkEm, NeverFalls) {
  Random random(1);
  for (int trial = 0; trial < 12; ++trial) {
    const BayesNetwork truth = random_network(random_graph(5, random), random, trial % 2 == 0);
    const Index latent = trial % 3 == 0 ? random.below(5) : kNobody;
    const NetworkData data = with_holes(draw_rows(truth, 60, random), 0.3, latent, random);
    EmOptions options;
    options.smoothing = trial % 4 == 0 ? 0 : 0.5;
    options.iterations = 40;
    options.restarts = 2;
    const EmResult result = maximise_expectation(truth.shared_graph(), data, options);
    for (Index k = 1; k < result.history.size(); ++k) {
      const EmIteration &before = result.history[k - 1], &now = result.history[k];
      if (now.start != before.start) continue;
      EXPECT_GE(now.objective, before.objective - 1e-10 * std::abs(before.objective));
    }
    // What it says is what the network has.
    NetworkInference inference(result.network);
    double log_likelihood = 0, best = -kInfinity;
    for (Index i = 0; i < data.size(); ++i) log_likelihood += inference.log_evidence(data.row(i));
    EXPECT_NEAR(result.log_likelihood, log_likelihood, 1e-9);
    for (const EmIteration& iteration : result.history) best = std::max(best, iteration.objective);
    EXPECT_EQ(result.objective, best);
  }
}

// One step from θ, by the sums over all completions of each row.
TEST(NetworkEm, StepsByExpectedCounts) {
  Random random(2);
  const BayesNetwork truth = random_network(random_graph(4, random), random);
  const NetworkData data = with_holes(draw_rows(truth, 30, random), 0.4, 2, random);
  const NetworkGraph& graph = truth.graph();
  std::vector<double> counts(graph.distributions().dimension(), 0.0);
  NetworkInference inference(truth);
  for (Index i = 0; i < data.size(); ++i) {
    const std::vector<Label> given(data.row(i).begin(), data.row(i).end());
    const double evidence = inference.log_evidence(given);
    each_completion(graph, given, [&](const std::vector<Label>& row) {
      for (Index v = 0; v < row.size(); ++v) {
        counts[graph.parameter(v, row)] += std::exp(truth.log_probability(row) - evidence);
      }
    });
  }
  const std::vector<double> expected = log_proportions(graph.distributions(), counts, 0.1);
  EmOptions options;
  options.iterations = 1;
  options.smoothing = 0.1;
  const EmResult result =
      maximise_expectation(truth.shared_graph(), data, options,
                           std::vector<double>(truth.theta().begin(), truth.theta().end()));
  for (Index k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(result.network.theta()[k], expected[k], 1e-10);
  }
}

TEST(NetworkEm, StartsCanBeTriedOneByOne) {
  Random random(12);
  const BayesNetwork truth = random_network(random_graph(5, random), random);
  const NetworkData data = with_holes(draw_rows(truth, 60, random), 0.3, 1, random);
  EmOptions options;
  options.iterations = 20;
  options.restarts = 3;
  const EmResult together = maximise_expectation(truth.shared_graph(), data, options);
  options.restarts = 1;
  Index steps = 0;
  for (Index start = 0; start < 3; ++start) {
    options.first_start = start;
    const EmResult alone = maximise_expectation(truth.shared_graph(), data, options);
    EXPECT_EQ(alone.start, start);
    for (const EmIteration& step : alone.history) {
      const EmIteration& same = together.history.at(steps++);
      EXPECT_EQ(same.start, step.start);
      EXPECT_EQ(same.objective, step.objective);
    }
    if (start == together.start) {
      EXPECT_EQ(alone.objective, together.objective);
    }
  }
  EXPECT_EQ(steps, together.history.size());
}

TEST(NetworkEm, IsCountingWhereNothingIsMissing) {
  Random random(3);
  const BayesNetwork truth = random_network(random_graph(5, random), random);
  const NetworkData data = draw_rows(truth, 200, random);
  const BayesNetwork counted = estimate(truth.shared_graph(), data, 1);
  EmOptions options;
  options.smoothing = 1;
  const EmResult result = maximise_expectation(truth.shared_graph(), data, options);
  EXPECT_TRUE(result.converged);
  for (Index k = 0; k < counted.theta().size(); ++k) {
    EXPECT_NEAR(result.network.theta()[k], counted.theta()[k], 1e-12);
  }
}

// Two classes with opposite habits are told apart without being shown.
TEST(NetworkEm, FindsALatentClass) {
  std::vector<NetworkVariable> variables = {{"class", {"0", "1"}}};
  NetworkParents parents(1);
  for (int v = 0; v < 6; ++v) {
    variables.push_back({"x" + std::to_string(v), {"0", "1"}});
    parents.push_back({0});
  }
  const auto graph = std::make_shared<const NetworkGraph>(variables, parents);
  std::vector<double> theta = {std::log(0.3), std::log(0.7)};
  for (int v = 0; v < 6; ++v) {
    for (const double p : {0.9, 0.1, 0.1, 0.9}) theta.push_back(std::log(p));
  }
  Random random(4);
  const BayesNetwork truth(graph, theta);
  const NetworkData data = with_holes(draw_rows(truth, 3000, random), 0, 0, random);
  EmOptions options;
  options.restarts = 4;
  const EmResult result = maximise_expectation(graph, data, options);
  const double share = std::exp(result.network.theta()[0]);
  EXPECT_NEAR(std::min(share, 1 - share), 0.3, 0.03);
  for (Index k = 2; k < theta.size(); ++k) {
    const double p = std::exp(result.network.theta()[k]);
    EXPECT_NEAR(std::max(p, 1 - p), 0.9, 0.04);
  }
}

TEST(NetworkEm, HasTheSameBitsOnAnyNumberOfThreads) {
  Random random(5);
  const BayesNetwork truth = random_network(random_graph(6, random), random);
  const NetworkData data = with_holes(draw_rows(truth, 300, random), 0.3, 1, random);
  EmOptions options;
  options.iterations = 10;
  options.restarts = 2;
  const EmResult one = maximise_expectation(truth.shared_graph(), data, options);
  options.threads = 3;
  const EmResult three = maximise_expectation(truth.shared_graph(), data, options);
  EXPECT_EQ(std::vector<double>(one.network.theta().begin(), one.network.theta().end()),
            std::vector<double>(three.network.theta().begin(), three.network.theta().end()));
  EXPECT_EQ(one.objective, three.objective);
}

TEST(NetworkEm, RefusesWhatItCannotUse) {
  const auto graph = std::make_shared<const NetworkGraph>(
      std::vector<NetworkVariable>{{"a", {"0", "1"}}}, NetworkParents(1));
  NetworkData data(1);
  EXPECT_THROW(maximise_expectation(graph, data, {}), UsageError);  // no rows
  data.add(std::vector<Label>{1});
  EmOptions options;
  options.restarts = 0;
  EXPECT_THROW(maximise_expectation(graph, data, options), UsageError);
  // The row is impossible under the start.
  EXPECT_THROW(maximise_expectation(graph, data, {}, std::vector<double>{0, -kInfinity}),
               UsageError);
  EXPECT_THROW(maximise_expectation(graph, data, {}, std::vector<double>{0}), UsageError);
}

TEST(NetworkEm, StopsWhenItIsTold) {
  Random random(6);
  const BayesNetwork truth = random_network(random_graph(4, random), random);
  const NetworkData data = with_holes(draw_rows(truth, 50, random), 0.5, kNobody, random);
  EmOptions options;
  options.restarts = 3;
  const EmResult result =
      maximise_expectation(truth.shared_graph(), data, options, {},
                           [](const EmIteration& iteration) { return iteration.iteration < 2; });
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.history.size(), 2u);
}

}  // namespace
}  // namespace trellis::network_em_test
