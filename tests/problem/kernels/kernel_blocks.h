// Small block models whose features a kernel can stand in for: one node of three labels, three
// features and a bias.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis::testing {

inline constexpr Index kKernelLabels = 3;

inline Kernel quadratic_kernel() {
  Kernel kernel;
  kernel.kind = KernelKind::kPolynomial;
  kernel.degree = 2;
  kernel.offset = 1;
  kernel.scale = 0.5;
  return kernel;
}

// The vector and the label of example i: labels follow the sign of a product, with some noise.
inline std::pair<std::vector<float>, Label> labelled_vector(Index i) {
  Random random(11, i);
  std::vector<float> x;
  for (int k = 0; k < 3; ++k) x.push_back(static_cast<float>(random.normal()));
  const bool noise = random.below(8) == 0;
  const Label label = noise ? 0 : (x[0] * x[1] > 0 ? 1 : 2);
  return {x, label};
}

// A block of features at weight 0, of the given width, and a bias after it.
inline BlockExample<Multiclass> labelled_example(FeatureRows rows, Label label) {
  const Index bias = rows.width() * kKernelLabels;
  BlockExample<Multiclass> example{Multiclass(kKernelLabels), label, {}, {}, 1};
  example.blocks.push_back({std::move(rows), 0, kKernelLabels, 0, -1.5});
  example.blocks.push_back({FeatureRows::constant(1), 0, kKernelLabels, bias, 1});
  std::vector<double> truth(kKernelLabels);
  example.structure.indicator(label, truth);
  example.costs.resize(kKernelLabels);
  hamming_costs(truth, 0.5, 0.5, example.costs);
  return example;
}

inline BlockModel<Multiclass> labelled_vectors(Index n, bool sparse,
                                               std::vector<WeightRange> nonnegative = {}) {
  std::vector<BlockExample<Multiclass>> examples;
  for (Index i = 0; i < n; ++i) {
    auto [x, label] = labelled_vector(i);
    examples.push_back(labelled_example(
        sparse ? FeatureRows::sparse(3, {0, 3}, {0, 1, 2}, x) : FeatureRows::dense(3, x), label));
  }
  return {(3 + 1) * kKernelLabels, std::move(examples), std::move(nonnegative)};
}

// The monomials whose inner products are quadratic_kernel():
// (⟨x, y⟩/2 + 1)² = ¼ Σ x_a x_b y_a y_b + Σ x_a y_a + 1.
inline BlockModel<Multiclass> labelled_monomials(Index n) {
  std::vector<BlockExample<Multiclass>> examples;
  for (Index i = 0; i < n; ++i) {
    const auto [x, label] = labelled_vector(i);
    std::vector<float> monomials = {1};
    for (Index a = 0; a < 3; ++a) monomials.push_back(x[a]);
    for (Index a = 0; a < 3; ++a) {
      for (Index b = 0; b < 3; ++b) monomials.push_back(x[a] * x[b] / 2);
    }
    examples.push_back(labelled_example(FeatureRows::dense(13, monomials), label));
  }
  return {(13 + 1) * kKernelLabels, std::move(examples)};
}

}  // namespace trellis::testing
