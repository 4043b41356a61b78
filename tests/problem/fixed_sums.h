// Examples whose log Σ is whatever a test says.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "trellis/problem/block_model.h"
#include "trellis/structure/standing.h"

namespace trellis::testing {

// One output with one part.
template <Standing standing>
struct FixedSum {
  using Output = int;
  struct Scratch {};
  static constexpr Standing kSumStanding = standing;

  Index num_parts() const { return 1; }
  void indicator(Output, std::span<double> z) const { z[0] = 1; }
  double score(std::span<const double> s, Output) const { return s[0]; }
  LinearProgram linear_program() const { return {}; }
  double log_partition(std::span<const double>, Scratch&, std::span<double> marginals) const {
    marginals[0] = 0.5;
    return value;
  }
  static Convergence convergence(const Scratch&) { return {}; }
  double entropy(std::span<const double>, Scratch&) const { return 0; }

  double value;
};

// An example for each log Σ, whose only output scores w_0.
template <Standing standing>
BlockModel<FixedSum<standing>> fixed_sums(const std::vector<double>& log_sums) {
  std::vector<BlockExample<FixedSum<standing>>> examples;
  for (const double value : log_sums) {
    examples.push_back({{value}, 0, {{FeatureRows::dense(1, {1}), 0, 1, 0, 1}}, {0}, 1});
  }
  return {1, std::move(examples)};
}

}  // namespace trellis::testing
