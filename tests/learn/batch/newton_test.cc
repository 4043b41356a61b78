#include "trellis/learn/batch/newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/learn/test_oracles.h"
#include "trellis/base/random.h"
#include "trellis/learn/batch/lbfgs.h"

namespace trellis::testing {
namespace {

using enum BinaryLoss;
constexpr Index kInstances = 90;
constexpr Index kWidth = 12;
constexpr Index kLabels = 21;  // two blocks of lanes, and a part of a third

FeatureRows draw_rows(bool dense) {
  FeatureRowsBuilder rows(kWidth, dense, kInstances);
  for (Index i = 0; i < kInstances; ++i) {
    Random random(7, i);
    rows.begin_row();
    for (Index k = 0; k < kWidth; ++k) {
      const double x = random.normal();
      if (dense || random.below(3) == 0) rows.add(k, static_cast<float>(x));
    }
  }
  return std::move(rows).finish();
}

// Label v has about a share 1/(v+1) of the instances; the last one none.
std::vector<std::vector<std::uint32_t>> draw_labels() {
  std::vector<std::vector<std::uint32_t>> labels(kLabels);
  for (Index v = 0; v + 1 < kLabels; ++v) {
    for (Index i = 0; i < kInstances; ++i) {
      if (Random(11, v, i).below(v + 1) == 0) labels[v].push_back(static_cast<std::uint32_t>(i));
    }
  }
  return labels;
}

struct Fits {
  std::vector<std::vector<double>> theta;
  std::vector<LearnSummary> summaries;
};

// In a chain the features that a label sees grow with its number.
Index width_of(Index v, bool chain) {
  return chain ? 4 + v % 8 : kWidth;
}

LearnControl proving(double gap, int threads = 1) {
  LearnControl control;
  control.threads = threads;
  control.certify = true;
  control.gap_tolerance = gap;
  return control;
}

Fits fit_all(const FeatureRows& rows, std::span<const std::vector<std::uint32_t>> labels, double c,
             bool chain, const LearnControl& control,
             const NewtonOptions& options = {kLogistic, 1000}, const Fits* start = nullptr) {
  Fits fits{{}, std::vector<LearnSummary>(labels.size())};
  for (Index v = 0; v < labels.size(); ++v) {
    fits.theta.emplace_back(width_of(v, chain), 0.0);
    if (start != nullptr) fits.theta[v] = start->theta[v];
  }
  std::vector<BinaryTask> tasks;
  for (Index v = 0; v < labels.size(); ++v) {
    tasks.push_back({labels[v], width_of(v, chain), c, fits.theta[v]});
  }
  newton(rows, tasks, options, control,
         [&](Index v, LearnSummary summary) { fits.summaries[v] = std::move(summary); });
  return fits;
}

// λ/2 ‖θ‖² + (1/n) Σ L(±θ·x)
double objective(const FeatureRows& rows, const std::vector<std::uint32_t>& instances, double c,
                 std::span<const double> theta, BinaryLoss loss) {
  std::vector<std::uint8_t> has(rows.num_rows(), 0);
  for (const std::uint32_t i : instances) has[i] = 1;
  double sum = 0;
  for (const double weight : theta) sum += weight * weight / (2 * c);
  for (Index i = 0; i < rows.num_rows(); ++i) {
    double score = 0;
    rows.for_each(i, [&](Index k, double x) {
      if (k < theta.size()) score += x * theta[k];
    });
    const double wrong = has[i] != 0 ? -score : score;
    const double violation = std::max(0.0, 1 + wrong);
    sum += loss == kLogistic ? std::log1p(std::exp(wrong)) : violation * violation;
  }
  return sum / static_cast<double>(rows.num_rows());
}

TEST(Newton, ReachesTheOptimumThatItCertifies) {
  const auto labels = draw_labels();
  for (const BinaryLoss loss : {kLogistic, kSquaredHinge}) {
    for (const bool dense : {true, false}) {
      const FeatureRows rows = draw_rows(dense);
      for (const double c : {0.01, 1.0, 100.0}) {
        const bool chain = c == 1;
        const Fits close = fit_all(rows, labels, c, chain, proving(1e-10), {loss, 1000});
        const Fits fits = fit_all(rows, labels, c, chain, proving(1e-3), {loss, 1000});
        for (Index v = 0; v < kLabels; ++v) {
          SCOPED_TRACE(::testing::Message() << dense << " c " << c << " label " << v);
          const LearnSummary& summary = fits.summaries[v];
          EXPECT_NEAR(summary.objective, objective(rows, labels[v], c, fits.theta[v], loss), 1e-9);
          EXPECT_LE(summary.gap(), 1e-3);
          EXPECT_LE(summary.bound, close.summaries[v].objective + 1e-12);
          EXPECT_GE(summary.objective, close.summaries[v].bound - 1e-12);
        }
      }
    }
  }
}

// The same as two classes, whose weights are −θ/2 and θ/2.
ClassificationData as_classes(const FeatureRows& rows,
                              const std::vector<std::uint32_t>& instances) {
  ClassificationData data{2, rows.width(),
                          std::vector<ClassificationData::Example>(rows.num_rows())};
  for (Index i = 0; i < rows.num_rows(); ++i) {
    rows.for_each(i, [&](Index k, double x) {
      data.examples[i].attributes.push_back(k);
      data.examples[i].values.push_back(x);
    });
  }
  for (const std::uint32_t i : instances) data.examples[i].label = 1;
  return data;
}

TEST(Newton, FindsWhatLbfgsFinds) {
  const auto labels = draw_labels();
  const FeatureRows rows = draw_rows(false);
  const Fits fits = fit_all(rows, labels, 2, false, proving(1e-10));
  for (const Index v : {Index{0}, Index{3}, kLabels - 1}) {
    const ClassificationData data = as_classes(rows, labels[v]);
    LbfgsOptions options;
    options.lambda = 2 * lambda_from_c(2, kInstances);
    options.epsilon = 1e-6;
    options.delta = 0;
    std::vector<double> w(data.dimension(), 0.0);
    lbfgs(LogisticOracle(data), options, w);
    for (Index k = 0; k < kWidth; ++k) EXPECT_NEAR(2 * w[2 * k + 1], fits.theta[v][k], 1e-3);
  }
}

TEST(Newton, ALabelsBitsDependNeitherOnItsNeighboursNorOnThreads) {
  const auto labels = draw_labels();
  const FeatureRows rows = draw_rows(false);
  const Fits all = fit_all(rows, labels, 5, true, proving(1e-3));
  EXPECT_EQ(fit_all(rows, labels, 5, true, proving(1e-3, 3)).theta, all.theta);
  const Fits few = fit_all(rows, std::span(labels).first(5), 5, true, proving(1e-3));
  for (Index v = 0; v < 5; ++v) EXPECT_EQ(few.theta[v], all.theta[v]);
}

TEST(Newton, AStartNearbySavesSteps) {
  const auto labels = draw_labels();
  const FeatureRows rows = draw_rows(true);
  const Fits strong = fit_all(rows, labels, 10, false, proving(1e-3));
  const Fits cold = fit_all(rows, labels, 12, false, proving(1e-3));
  const Fits warm = fit_all(rows, labels, 12, false, proving(1e-3), {kLogistic, 1000}, &strong);
  Index saved = 0;
  for (Index v = 0; v < kLabels; ++v) {
    saved += cold.summaries[v].epochs - warm.summaries[v].epochs;
    EXPECT_LE(warm.summaries[v].gap(), 1e-3);
  }
  EXPECT_GE(saved, kLabels);
}

TEST(Newton, StopsWhereItIsAsked) {
  const auto labels = draw_labels();
  std::stop_source source;
  source.request_stop();
  LearnControl stopped = proving(1e-3, 2);
  stopped.stop = source.get_token();
  const Fits none = fit_all(draw_rows(true), labels, 1, false, stopped);
  for (const LearnSummary& summary : none.summaries) EXPECT_EQ(summary.epochs, 0U);
  const Fits one = fit_all(draw_rows(true), labels, 100, false, proving(1e-9), {kLogistic, 1});
  EXPECT_EQ(one.summaries[0].termination, Termination::kMaxEpochs);
}

}  // namespace
}  // namespace trellis::testing
