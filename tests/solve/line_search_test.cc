#include "trellis/solve/line_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace trellis {
namespace {

using Function = std::function<std::pair<double, double>(double)>;  // t ↦ (φ, φ')

struct Outcome {
  LineSearchStatus status;
  double step;
  int trials;
};

Outcome search(const Function& phi, double first_step, Index max_trials = 30) {
  const auto [value, slope] = phi(0);
  WolfeSearch search(value, slope, first_step, max_trials);
  Outcome outcome{LineSearchStatus::kEvaluate, 0, 0};
  while (outcome.status == LineSearchStatus::kEvaluate) {
    outcome.step = search.step();
    const auto [trial_value, trial_slope] = phi(outcome.step);
    outcome.status = search.feed(trial_value, trial_slope);
    ++outcome.trials;
  }
  return outcome;
}

void expect_wolfe(const Function& phi, double first_step) {
  const Outcome outcome = search(phi, first_step);
  ASSERT_EQ(outcome.status, LineSearchStatus::kAccepted) << "from " << first_step;
  const auto [value, slope] = phi(0);
  const auto [found_value, found_slope] = phi(outcome.step);
  EXPECT_LE(found_value, value + WolfeSearch::kDecrease * outcome.step * slope);
  EXPECT_LE(std::abs(found_slope), -WolfeSearch::kCurvature * slope);
}

// The functions of Moré & Thuente (1994), sec. 5, and a few that losses look like.
const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      [](double t) {
        return std::pair(-t / (t * t + 2), (t * t - 2) / ((t * t + 2) * (t * t + 2)));
      },
      [](double t) {
        const double s = t + 0.004;
        return std::pair(std::pow(s, 5) - 2 * std::pow(s, 4),
                         5 * std::pow(s, 4) - 8 * std::pow(s, 3));
      },
      [](double t) { return std::pair((t - 3) * (t - 3), 2 * (t - 3)); },
      [](double t) {
        const double e = std::exp(-t);
        return std::pair(e + 0.01 * t * t, -e + 0.02 * t);
      },
      [](double t) {
        return std::pair(std::log1p(std::exp(-5 * t)) + 0.5 * t, -5 / (1 + std::exp(5 * t)) + 0.5);
      },
  };
  return all;
}

TEST(WolfeSearch, FindsAWolfePointFromAnyFirstStep) {
  for (const Function& phi : functions()) {
    for (const double first : {1e-3, 1e-1, 1.0, 10.0, 1e3}) expect_wolfe(phi, first);
  }
}

TEST(WolfeSearch, AcceptsAGoodFirstStepAtOnce) {
  EXPECT_EQ(search(functions()[2], 2.9).trials, 1);
}

TEST(WolfeSearch, ComesBackFromInfinity) {
  const Function barrier = [](double t) {
    if (t >= 1) return std::pair(std::numeric_limits<double>::infinity(), 1.0);
    return std::pair(-t - 0.1 * std::log1p(-t), -1 + 0.1 / (1 - t));
  };
  expect_wolfe(barrier, 50);
}

TEST(WolfeSearch, FailsWhereNothingFalls) {
  const Function rising = [](double t) { return std::pair(t, t == 0 ? -1.0 : 1.0); };
  EXPECT_EQ(search(rising, 1).status, LineSearchStatus::kFailed);
}

TEST(WolfeSearch, SettlesForDecreaseWhenTheTrialsAreOver) {
  const Function linear = [](double t) { return std::pair(-t, -1.0); };
  const Outcome outcome = search(linear, 1, 3);
  EXPECT_EQ(outcome.status, LineSearchStatus::kAccepted);
  EXPECT_GT(outcome.step, 1);
}

TEST(WolfeSearch, GoesOnToTheSameStepFromItsState) {
  for (const Function& phi : functions()) {
    const auto [value, slope] = phi(0);
    WolfeSearch whole(value, slope, 100, 30);
    WolfeSearch saved = whole;
    LineSearchStatus status = LineSearchStatus::kEvaluate;
    while (status == LineSearchStatus::kEvaluate) {
      saved = WolfeSearch::from_state(saved.state());
      ASSERT_EQ(saved.step(), whole.step());
      const auto [trial_value, trial_slope] = phi(whole.step());
      status = whole.feed(trial_value, trial_slope);
      EXPECT_EQ(saved.feed(trial_value, trial_slope), status);
    }
  }
}

TEST(BacktrackingSearch, HalvesUntilTheDecreaseSuffices) {
  // φ(t) = t² − t, starting far too long.
  BacktrackingSearch search(0, 8, 20);
  LineSearchStatus status = LineSearchStatus::kEvaluate;
  double step = 0;
  while (status == LineSearchStatus::kEvaluate) {
    step = search.step();
    status = search.feed(step * step - step, -step);
    search = BacktrackingSearch::from_state(search.state());
  }
  EXPECT_EQ(status, LineSearchStatus::kAccepted);
  EXPECT_EQ(step, 0.5);
}

TEST(BacktrackingSearch, FailsWhereNothingFalls) {
  BacktrackingSearch search(0, 1, 3);
  EXPECT_EQ(search.feed(1, -1), LineSearchStatus::kEvaluate);
  EXPECT_EQ(search.feed(1, -1), LineSearchStatus::kEvaluate);
  EXPECT_EQ(search.feed(1, -1), LineSearchStatus::kFailed);
}

}  // namespace
}  // namespace trellis
