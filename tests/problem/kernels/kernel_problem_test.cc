#include "trellis/problem/kernels/kernel_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "tests/problem/kernels/kernel_blocks.h"
#include "trellis/base/error.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis::testing {
namespace {

std::vector<double> random_vector(Index size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x(size);
  for (double& value : x) value = random.normal();
  return x;
}

// Σ_i F_i z_i by both models, for random z: the same point of the feature space.
struct SamePoint {
  std::vector<double> coefficients;
  std::vector<double> weights;
};
SamePoint same_point(const KernelModel<Multiclass>& implicit,
                     const BlockModel<Multiclass>& features, std::uint64_t seed) {
  SamePoint point{std::vector<double>(implicit.dimension(), 0.0),
                  std::vector<double>(features.dimension(), 0.0)};
  for (Index i = 0; i < implicit.num_examples(); ++i) {
    const std::vector<double> z = random_vector(implicit.structure(i).num_parts(), seed + i);
    implicit.add_features(i, z, 0.5, point.coefficients);
    features.add_features(i, z, 0.5, point.weights);
  }
  return point;
}

void expect_same_geometry(const KernelModel<Multiclass>& implicit,
                          const BlockModel<Multiclass>& features, double tolerance) {
  const SamePoint a = same_point(implicit, features, 100);
  const SamePoint b = same_point(implicit, features, 200);
  EXPECT_NEAR(implicit.inner_product(a.coefficients, b.coefficients), dot(a.weights, b.weights),
              tolerance * std::sqrt(squared_norm(a.weights) * squared_norm(b.weights)));
  EXPECT_NEAR(implicit.inner_product(a.coefficients, a.coefficients), squared_norm(a.weights),
              tolerance * squared_norm(a.weights));
  for (Index i = 0; i < implicit.num_examples(); ++i) {
    std::vector<double> by_kernel(implicit.structure(i).num_parts());
    std::vector<double> by_features(by_kernel.size());
    implicit.scores(i, a.coefficients, by_kernel);
    features.scores(i, a.weights, by_features);
    for (Index p = 0; p < by_kernel.size(); ++p) {
      EXPECT_NEAR(by_kernel[p], by_features[p], tolerance * (1 + std::abs(by_features[p])));
    }
  }
}

TEST(KernelModel, LinearKernelIsTheExplicitModel) {
  for (const bool sparse : {false, true}) {
    const BlockModel<Multiclass> model = labelled_vectors(30, sparse);
    const std::vector<KernelBlock> kernels = {{0, Kernel{}}};
    expect_same_geometry(KernelModel<Multiclass>(model, kernels), model, 1e-12);
  }
}

TEST(KernelModel, QuadraticKernelIsTheModelOfMonomials) {
  for (const bool sparse : {false, true}) {
    const BlockModel<Multiclass> model = labelled_vectors(30, sparse);
    const std::vector<KernelBlock> kernels = {{0, quadratic_kernel()}};
    expect_same_geometry(KernelModel<Multiclass>(model, kernels), labelled_monomials(30), 1e-6);
  }
}

TEST(KernelModel, CacheOfEverySizeGivesTheSameScores) {
  const BlockModel<Multiclass> model = labelled_vectors(40, false);
  const std::vector<KernelBlock> kernels = {{0, quadratic_kernel()}};
  const KernelModel<Multiclass> whole(model, kernels);
  EXPECT_EQ(whole.group(0).num_cached(), 40U);
  const std::vector<double> w = same_point(whole, model, 5).coefficients;
  for (const Index rows : {Index{0}, Index{7}, Index{40}}) {
    const KernelModel<Multiclass> partly(model, kernels, 2, rows * 40 * sizeof(double));
    EXPECT_EQ(partly.group(0).num_cached(), rows);
    const double norm = whole.inner_product(w, w);
    EXPECT_NEAR(partly.inner_product(w, w), norm, 1e-13 * norm);
    std::vector<double> s(3), t(3);
    for (Index i = 0; i < 40; ++i) {
      whole.scores(i, w, s);
      partly.scores(i, w, t);
      for (Index p = 0; p < 3; ++p) EXPECT_NEAR(t[p], s[p], 1e-12 * (1 + std::abs(s[p])));
    }
  }
}

TEST(KernelModel, ScoresOfNewVectorsAreThoseOfTheirKernels) {
  const BlockModel<Multiclass> model = labelled_vectors(20, false);
  Kernel rbf;
  rbf.kind = KernelKind::kRbf;
  rbf.gamma = 0.3;
  const std::vector<KernelBlock> kernels = {{0, rbf}};
  const KernelModel<Multiclass> implicit(model, kernels);
  const std::vector<double> w = same_point(implicit, model, 6).coefficients;
  const std::vector<float> x = {0.5F, -1, 2};
  std::vector<double> s(3, 0.0);
  KernelGroup::Workspace workspace;
  implicit.group(0).add_scores(FeatureRows::dense(3, x), implicit.coefficients(0, w), 1, workspace,
                               s);
  std::vector<double> expected(3, 0.0);
  for (Index l = 0; l < 20; ++l) {
    const double k = rbf(x, model.example(l).blocks[0].rows.dense_row(0));
    for (Index t = 0; t < 3; ++t) expected[t] += k * implicit.coefficients(0, w)[l * 3 + t];
  }
  for (Index t = 0; t < 3; ++t) EXPECT_NEAR(s[t], expected[t], 1e-12);
}

TEST(KernelModel, FeaturesAreSparseAndEqualToThoseAdded) {
  const BlockModel<Multiclass> model = labelled_vectors(10, false);
  const std::vector<KernelBlock> kernels = {{0, Kernel{}}};
  const KernelModel<Multiclass> implicit(model, kernels);
  KernelModel<Multiclass>::Workspace workspace;
  SparseVector slope;
  for (Index i = 0; i < 10; ++i) {
    const std::vector<double> z = random_vector(3, i);
    std::vector<double> added(implicit.dimension(), 0.0);
    std::vector<double> written(implicit.dimension(), 0.0);
    implicit.add_features(i, z, 2, added);
    implicit.features(i, z, 2, workspace, slope);
    slope.add_to(written, 1);
    EXPECT_EQ(added, written);
  }
}

TEST(KernelModel, RefusesWhatDoesNotFit) {
  const BlockModel<Multiclass> model = labelled_vectors(10, false);
  const std::vector<KernelBlock> nowhere = {{1, Kernel{}}};
  EXPECT_THROW(KernelModel<Multiclass>(model, nowhere), UsageError);
  const std::vector<KernelBlock> here = {{0, Kernel{}}};
  const BlockModel<Multiclass> restricted = labelled_vectors(10, false, {{2, 4}});
  EXPECT_THROW(KernelModel<Multiclass>(restricted, here), UsageError);
  Kernel wrong;
  wrong.kind = KernelKind::kRbf;
  wrong.gamma = -1;
  const std::vector<KernelBlock> negative = {{0, wrong}};
  EXPECT_THROW(KernelModel<Multiclass>(model, negative), UsageError);
}

}  // namespace
}  // namespace trellis::testing
