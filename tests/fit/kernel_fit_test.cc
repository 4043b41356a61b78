// The kernelised extragradient as tasks reach it (Taskar, Lacoste-Julien & Jordan 2006): it needs
// inner products of features alone, so with coefficients of training vectors for weights it goes to
// the optimum that it goes to with the kernel's own features, as far as the proven gaps tell.
#include "trellis/fit/fit_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/fit/choices.h"
#include "tests/problem/kernels/kernel_blocks.h"
#include "trellis/fit/fit.h"

namespace trellis::testing {
namespace {

constexpr Index kVectors = 30;
constexpr double kKernelLambda = 0.05;

using Labels = BlockModel<Multiclass>;

LearnerOptions saying_kernelised(const char* geometry) {
  LearnerOptions said = saying(LearnerKind::kExtragradient);
  said.geometry = geometry;
  said.lambda = kKernelLambda;
  said.gap = 1e-4;
  said.epochs = 20000;
  return said;
}

struct KernelOptimum {
  LearnSummary summary;
  std::vector<double> scores;  // of all labels of all examples
};

template <class M, class Fit>
KernelOptimum kernel_optimum(const M& model, const LearnerChoice& choice, const Fit& fit_it) {
  std::vector<double> w(model.dimension(), 0.0);
  KernelOptimum found;
  found.summary = fit_it(FitCall{choice, w}).summary;
  for (Index i = 0; i < model.num_examples(); ++i) {
    std::vector<double> s(kKernelLabels);
    model.scores(i, w, s);
    found.scores.insert(found.scores.end(), s.begin(), s.end());
  }
  return found;
}

// P is λ-strongly convex, so ‖w − w*‖ ≤ √(2 gap/λ), and a score moves by at most ‖F_p‖ times that.
void expect_same_optimum(const Labels& features, const KernelOptimum& by_features,
                         const KernelOptimum& by_kernel) {
  EXPECT_LE(by_kernel.summary.bound, by_features.summary.objective + 1e-12);
  EXPECT_LE(by_features.summary.bound, by_kernel.summary.objective + 1e-12);
  const auto distance = [](const LearnSummary& summary) {
    return std::sqrt(2 * (summary.objective - summary.bound) / kKernelLambda);
  };
  const double apart = distance(by_features.summary) + distance(by_kernel.summary);
  for (Index i = 0; i < features.num_examples(); ++i) {
    for (Index y = 0; y < kKernelLabels; ++y) {
      std::vector<double> z(kKernelLabels, 0.0), column(features.dimension(), 0.0);
      z[y] = 1;
      features.add_features(i, z, 1, column);
      double length = 0;
      for (const double value : column) length += value * value;
      const Index at = i * kKernelLabels + y;
      EXPECT_NEAR(by_kernel.scores[at], by_features.scores[at], std::sqrt(length) * apart + 1e-9);
    }
  }
}

TEST(KernelFit, MeetsTheRunWithTheKernelsFeaturesInBothGeometries) {
  const Labels vectors = labelled_vectors(kVectors, false);
  const Labels monomials = labelled_monomials(kVectors);
  struct Twin {
    Kernel kernel;
    const Labels& features;
  };
  for (const Twin& twin : {Twin{Kernel{}, vectors}, Twin{quadratic_kernel(), monomials}}) {
    const std::vector<KernelBlock> blocks = {{0, twin.kernel}};
    const KernelModel<Multiclass> model(vectors, blocks);
    for (const char* geometry : {"entropic", "euclidean"}) {
      SCOPED_TRACE(geometry);
      Able able = able_of<Labels>();
      const LearnerChoice plain = choose(saying_kernelised(geometry), silent_task(), able);
      able.implicit = true;
      const LearnerChoice implicit = choose(saying_kernelised(geometry), silent_task(), able);
      const KernelOptimum by_features = kernel_optimum(
          twin.features, plain, [&](const FitCall& call) { return fit(twin.features, call); });
      const KernelOptimum by_kernel = kernel_optimum(
          model, implicit, [&](const FitCall& call) { return fit_kernel(model, call); });
      EXPECT_LE(by_kernel.summary.objective - by_kernel.summary.bound,
                2e-4 * by_kernel.summary.objective);
      expect_same_optimum(twin.features, by_features, by_kernel);
    }
  }
}

TEST(KernelFit, IsForExtragradientAlone) {
  Able able = able_of<Labels>();
  able.implicit = true;
  for (const LearnerKind learner :
       {LearnerKind::kBcfw, LearnerKind::kSmo, LearnerKind::kQp, LearnerKind::kProjectedGradient}) {
    EXPECT_TRUE(contains(refusal_of(saying(learner, "svm"), able), "only extragradient"));
  }
}

}  // namespace
}  // namespace trellis::testing
