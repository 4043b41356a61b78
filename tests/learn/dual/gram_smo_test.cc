// SMO through a kernel: with the linear one it must find what SMO finds over the features.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/learn/run_result.h"
#include "tests/learn/stopping_label_oracle.h"
#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/learn/dual/soft_smo.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/kernels/gram_problem.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/labels/multiclass_model.h"

namespace trellis::testing::gram_smo_test {
namespace {

constexpr Index kWidth = 5;  // the last feature is a constant
constexpr Index kLabels = 3;
constexpr double kLambda = 0.02;
constexpr Kernel kRbf{KernelKind::kRbf, 2, 1, 1, 0.3};

// Vectors with a constant at their end; labels lean towards the feature of their number.
struct Vectors {
  explicit Vectors(Index size, std::uint64_t seed = 3) {
    Random random(seed);
    for (Index i = 0; i < size; ++i) {
      labels.push_back(static_cast<Label>(random.below(kLabels)));
      for (Index d = 0; d + 1 < kWidth; ++d) {
        const double lean = static_cast<Label>(d) == labels.back() ? 0.8 : 0.0;
        x.push_back(static_cast<float>(random.normal() + lean));
      }
      x.push_back(1);
    }
  }
  // Without the constant.
  std::vector<float> short_x() const {
    std::vector<float> kept;
    for (Index k = 0; k < x.size(); ++k) {
      if ((k + 1) % kWidth != 0) kept.push_back(x[k]);
    }
    return kept;
  }
  std::vector<float> x;
  std::vector<Label> labels;
};

// The same over rows of weights.
class ByFeatures {
 public:
  ByFeatures(const Vectors& vectors, std::span<const Index> chosen) {
    for (Index k = 0; k < kWidth * kLabels; ++k) {
      targets_.push_back(static_cast<std::uint32_t>(k % kLabels));
      if ((k + 1) % kLabels == 0) begin_.push_back(k + 1);
    }
    std::vector<AttributeId> ids(kWidth);
    std::iota(ids.begin(), ids.end(), AttributeId{0});
    for (const Index i : chosen) {
      const std::vector<std::uint32_t> positions = {0, kWidth};
      store_.add(positions, ids, std::span(vectors.x).subspan(i * kWidth, kWidth));
      labels_.push_back(vectors.labels[i]);
    }
    store_.finish(ids, kWidth);
  }
  MulticlassModel model() const {
    return MulticlassModel(AttributeRows(begin_, targets_, kLabels), store_, labels_, costs_);
  }

 private:
  std::vector<std::uint64_t> begin_ = {0};
  std::vector<std::uint32_t> targets_;
  AttributeStore store_;
  std::vector<Label> labels_;
  CostTable costs_ = CostTable::hamming(kLabels);
};

// Over all of them, through an RBF.
struct ByRbf {
  explicit ByRbf(Index size) : vectors(size), gram(kRbf, vectors.short_x(), kWidth - 1, size, 1) {}

  Vectors vectors;
  GramTable gram;
  CostTable costs = CostTable::hamming(kLabels);
  GramProblem problem{gram, vectors.labels, costs};
};

RunResult smo_of(const LabelOracle& oracle, const LearnControl& control = {}) {
  SmoOptions options;
  options.lambda = kLambda;
  options.epsilon = 1e-9;
  options.max_epochs = 20000;
  RunResult result{{}, std::vector<double>(oracle.dimension(), 7.0)};
  result.summary = smo(oracle, options, result.w, control);
  return result;
}

RunResult soft_smo_of(const LabelOracle& oracle) {
  RunResult result{{}, std::vector<double>(oracle.dimension(), 7.0)};
  result.summary = soft_smo(oracle, {kLambda, 1, 20000, 1e-9}, result.w, {});
  return result;
}

// Of 60 vectors the even ones are learned from; the constant is the table's own.
TEST(GramSmo, FindsWhatFeaturesFind) {
  const Vectors vectors(60);
  std::vector<Index> even;
  for (Index i = 0; i < 60; i += 2) even.push_back(i);
  const ByFeatures features(vectors, even);
  const MulticlassModel model = features.model();
  const LabelProblem by_features(model);
  const GramTable gram(Kernel{}, vectors.short_x(), kWidth - 1, 60, 1);
  const CostTable costs = CostTable::hamming(kLabels);
  const GramProblem by_kernel(gram, vectors.labels, costs, 1, even);
  for (const bool smooth : {false, true}) {
    const RunResult a = smooth ? soft_smo_of(by_features) : smo_of(by_features);
    const RunResult b = smooth ? soft_smo_of(by_kernel) : smo_of(by_kernel);
    EXPECT_NEAR(a.summary.objective, b.summary.objective, 1e-6 * a.summary.objective);
    EXPECT_NEAR(b.summary.gap(), 0, 1e-6);
    // The odd vectors, which nobody learned from, are scored, too.
    std::vector<double> s(kLabels);
    for (Index j = 0; j < 60; ++j) {
      gram_scores(b.w, gram.columns(), j, s);
      for (Index y = 0; y < kLabels; ++y) {
        double score = 0;
        for (Index d = 0; d < kWidth; ++d) {
          score += a.w[d * kLabels + y] * static_cast<double>(vectors.x[j * kWidth + d]);
        }
        EXPECT_NEAR(s[y], score, 1e-4);
      }
    }
  }
}

// f is K β to the end, and only those that are learned from have coefficients.
TEST(GramSmo, KeepsScoresTrueToTheCoefficients) {
  const Vectors vectors(40);
  const GramTable gram(kRbf, vectors.short_x(), kWidth - 1, 30, 0);  // 10 more columns
  EXPECT_EQ(gram.columns(), 40u);
  const std::vector<Label> labels(vectors.labels.begin(), vectors.labels.begin() + 30);
  const CostTable costs = CostTable::hamming(kLabels);
  const RunResult found = smo_of(GramProblem(gram, labels, costs));
  std::vector<double> f(40 * kLabels), beta(kLabels), s(kLabels);
  for (Index i = 0; i < 40; ++i) {
    gram_coefficients(found.w, 40, i, beta);
    for (Index y = 0; y < kLabels; ++y) {
      if (i >= 30) {
        EXPECT_EQ(beta[y], 0);
        continue;
      }
      for (Index j = 0; j < 40; ++j) {
        f[j * kLabels + y] += beta[y] * static_cast<double>(gram.row(i)[j]);
      }
    }
  }
  for (Index j = 0; j < 40; ++j) {
    gram_scores(found.w, 40, j, s);
    for (Index y = 0; y < kLabels; ++y) EXPECT_NEAR(s[y], f[j * kLabels + y], 1e-9);
  }
}

// From strong to weak regularisation it goes on from where it was; the other way it begins anew.
TEST(GramSmo, StartsFromTheCoefficientsOfASmallerC) {
  const ByRbf by_rbf(60);
  const GramProblem& problem = by_rbf.problem;
  const auto run_from = [&](double lambda, std::vector<double> w) {
    SmoOptions options;
    options.lambda = lambda;
    options.epsilon = 1e-6;
    options.max_epochs = 20000;
    RunResult result{{}, std::move(w)};
    result.summary = smo(problem, options, result.w, {});
    return result;
  };
  const std::vector<double> zero(problem.dimension());
  const RunResult strong = run_from(0.05, zero);
  const RunResult weak = run_from(0.02, zero);
  const RunResult warm = run_from(0.02, strong.w);
  EXPECT_NEAR(warm.summary.objective, weak.summary.objective, 1e-5 * weak.summary.objective);
  EXPECT_GT(warm.summary.history.front().bound, weak.summary.history.front().bound);
  EXPECT_EQ(run_from(0.05, weak.w).w, strong.w);
}

TEST(GramSmo, GoesOnToTheSameBits) {
  const ByRbf by_rbf(30);
  const GramProblem& problem = by_rbf.problem;
  const RunResult straight = smo_of(problem);
  CallCounter counter;
  Checkpoint state;
  LearnControl control;
  control.checkpoint = &state;
  control.stop = counter.restart(100);
  EXPECT_EQ(smo_of(StoppingLabelOracle(problem, counter), control).summary.termination,
            Termination::kInterrupted);
  control.stop = {};
  EXPECT_EQ(smo_of(problem, control).w, straight.w);
}

TEST(GramSmo, TablesRefuseVectorsThatDoNotFit) {
  const std::vector<float> x(10);
  EXPECT_THROW(GramTable(Kernel{}, x, 3, 2, 0), UsageError);
  EXPECT_THROW(GramTable(Kernel{}, x, 5, 3, 0), UsageError);
  EXPECT_THROW(GramTable(Kernel{}, x, 0, 0, 0), UsageError);
}

}  // namespace
}  // namespace trellis::testing::gram_smo_test
