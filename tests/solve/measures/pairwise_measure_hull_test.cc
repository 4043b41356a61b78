// The pieces that the search of pairwise_measure_argmax.h is made of.
#include "trellis/solve/measures/pairwise_measure_argmax_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/solve/measures/pairwise_measure_instance.h"
#include "trellis/base/random.h"
#include "trellis/solve/measures/pairwise_measure_argmax_cuts.h"
#include "trellis/solve/measures/pairwise_measure_argmax_enumeration.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {
namespace {

using testing::draw_instance;
using testing::PairwiseMeasureInstance;

// The corners of the rectangle, and others at random places; some of them tie.
std::vector<CountedSet> draw_points(const CountRectangle& r, Random& random) {
  std::vector<CountedSet> points;
  const auto draw = [&] {
    return random.below(3) == 0 ? static_cast<double>(random.below(3)) : 2 * random.normal();
  };
  for (const Index h : {Index{0}, r.free_hits}) {
    for (const Index f : {Index{0}, r.free_others}) {
      points.push_back({draw(), r.first_hits + h, r.first_others + f});
    }
  }
  for (Index extra = random.below(12); extra > 0; --extra) {
    points.push_back({draw(), r.first_hits + random.below(r.free_hits + 1),
                      r.first_others + random.below(r.free_others + 1)});
  }
  return points;
}

double hull_by_linear_program(const std::vector<CountedSet>& points, Index hits, Index others) {
  LinearProgram program;
  program.num_parts = program.num_variables = points.size();
  LinearProgram::Row all{{}, 1, 1};
  LinearProgram::Row h{{}, static_cast<double>(hits), static_cast<double>(hits)};
  LinearProgram::Row f{{}, static_cast<double>(others), static_cast<double>(others)};
  std::vector<double> scores;
  for (Index j = 0; j < points.size(); ++j) {
    all.terms.push_back({j, 1.0});
    h.terms.push_back({j, static_cast<double>(points[j].hits)});
    f.terms.push_back({j, static_cast<double>(points[j].others)});
    scores.push_back(points[j].score);
  }
  program.rows = {all, h, f};
  const LpSolution solution = maximize_linear_program(program, scores);
  EXPECT_EQ(solution.status, LpStatus::kOptimal);
  return solution.value;
}

TEST(UpperHull, EqualsTheLinearProgramAndItsPlaneLiesAboveAllPoints) {
  Random random(1);
  for (Index trial = 0; trial < 1500; ++trial) {
    const CountRectangle r{random.below(3), random.below(6), random.below(3), random.below(6)};
    const std::vector<CountedSet> points = draw_points(r, random);
    const Index hits = r.first_hits + random.below(r.free_hits + 1);
    const Index others = r.first_others + random.below(r.free_others + 1);
    const HullFacet facet = upper_hull_at(points, r, hits, others, 1e4, 1e-9);
    ASSERT_NEAR(facet.value, hull_by_linear_program(points, hits, others), 1e-6);
    double share = 0, mean_hits = 0, mean_others = 0;
    for (Index k = 0; k < 3; ++k) {
      share += facet.share[k];
      if (facet.corner[k] == HullFacet::kNone) {
        EXPECT_EQ(facet.share[k], 0);  // points far below take no part
        continue;
      }
      const CountedSet& corner = points[facet.corner[k]];
      mean_hits += facet.share[k] * static_cast<double>(corner.hits);
      mean_others += facet.share[k] * static_cast<double>(corner.others);
    }
    EXPECT_NEAR(share, 1, 1e-12);
    EXPECT_NEAR(mean_hits, static_cast<double>(hits), 1e-9);
    EXPECT_NEAR(mean_others, static_cast<double>(others), 1e-9);
    for (const CountedSet& point : points) {
      const double across = static_cast<double>(point.hits) - static_cast<double>(hits);
      const double along = static_cast<double>(point.others) - static_cast<double>(others);
      EXPECT_LE(point.score,
                facet.value + facet.slope_hits * across + facet.slope_others * along + 1e-6);
    }
  }
}

// The largest s(y) + α h + μ f over the sets that agree with `fixed` (−1: free).
double best_by_enumeration(const PairwiseMeasureInstance& instance, double alpha, double mu,
                           const std::vector<int>& fixed) {
  double best = -std::numeric_limits<double>::infinity();
  PairwiseMeasureInstance plain = instance;
  plain.gamma = 0;
  for (Index v = 0; v < plain.num_labels(); ++v) plain.unary[v] += plain.truth[v] ? alpha : mu;
  for (Index bits = 0; bits < Index{1} << plain.num_labels(); ++bits) {
    const std::vector<Label> y = plain.set(bits);
    bool agrees = true;
    for (Index v = 0; v < y.size(); ++v) agrees = agrees && (fixed[v] < 0 || fixed[v] == y[v]);
    if (agrees) best = std::max(best, plain.value(y));
  }
  return best;
}

TEST(PairwiseCuts, FixedLabelsStayAndTheRestIsTheBest) {
  Random random(2);
  PairwiseCuts cuts;
  for (Index trial = 0; trial < 1000; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(1 + random.below(7), random);
    const Index labels = instance.num_labels();
    cuts.set_problem(instance.unary, instance.pairs, instance.coupling, instance.truth);
    const double alpha = random.normal(), mu = random.normal() / 4;
    std::vector<std::vector<int>> stack = {std::vector<int>(labels, -1)};
    const auto check = [&] {
      std::vector<std::uint8_t> y(labels);
      const CountedSet set = cuts.maximize(alpha, mu, y);
      for (Index v = 0; v < labels; ++v) {
        if (stack.back()[v] >= 0) {
          ASSERT_EQ(stack.back()[v], y[v]);
        }
      }
      const double value =
          set.score + alpha * static_cast<double>(set.hits) + mu * static_cast<double>(set.others);
      ASSERT_NEAR(value, best_by_enumeration(instance, alpha, mu, stack.back()), 1e-9);
    };
    for (Index level = 0; level < 3; ++level) {
      cuts.push();
      stack.push_back(stack.back());
      const Index v = random.below(labels);
      const bool given = random.below(2) == 0;
      if (cuts.is_free(v)) {
        cuts.fix(v, given);
        stack.back()[v] = given ? 1 : 0;
      }
      check();
    }
    while (stack.size() > 1) {
      cuts.pop();
      stack.pop_back();
      check();
    }
  }
}

TEST(SetEnumeration, FindsTheBestOfAllSetsThatAgree) {
  Random random(3);
  PairwiseCuts cuts;
  SetEnumeration enumeration;
  for (Index trial = 0; trial < 500; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(1 + random.below(10), random);
    const Index labels = instance.num_labels();
    cuts.set_problem(instance.unary, instance.pairs, instance.coupling, instance.truth);
    std::vector<std::uint8_t> y(labels, 0);
    std::vector<int> fixed(labels, -1);
    for (Index v = 0; v < labels; ++v) {
      if (random.below(3) > 0) continue;
      fixed[v] = static_cast<int>(random.below(2));
      cuts.fix(v, fixed[v] == 1);
      y[v] = static_cast<std::uint8_t>(fixed[v]);
    }
    const Index num_true = cuts.num_true(), stride = labels - num_true + 1;
    std::vector<double> gain;
    for (Index h = 0; h <= num_true; ++h) {
      for (Index f = 0; f < stride; ++f) {
        gain.push_back(instance.gamma * instance.measure.loss({h, h + f, num_true, labels}));
      }
    }
    const double best = enumeration.maximize(cuts, cuts.count(y), gain, stride, y);
    double expected = -std::numeric_limits<double>::infinity();
    for (Index bits = 0; bits < Index{1} << labels; ++bits) {
      const std::vector<Label> set = instance.set(bits);
      bool agrees = true;
      for (Index v = 0; v < labels; ++v) agrees = agrees && (fixed[v] < 0 || fixed[v] == set[v]);
      if (agrees) expected = std::max(expected, instance.value(set));
    }
    ASSERT_NEAR(best, expected, instance.slack());
    ASSERT_NEAR(instance.value({y.begin(), y.end()}), best, instance.slack());
  }
}

}  // namespace
}  // namespace trellis
