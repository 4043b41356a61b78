// A small problem for the saddle-point learners, with all that they can ask for: each example has K
// outputs, one part each, with dense random features. Z_i is the simplex.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/oracle/part_oracle.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::testing {

struct SimplexOracleOptions {
  Index num_examples = 20;
  Index num_outputs = 4;
  Index dimension = 6;
  double noise = 1;  // of the features; the truth has a fixed direction in its favour
  std::vector<WeightRange> nonnegative;
};

class SimplexOracle final : public EuclideanPartOracle, public EntropicPartOracle {
 public:
  SimplexOracle(const SimplexOracleOptions& options, std::uint64_t seed) : options_(options) {
    Random random(seed);
    std::vector<double> direction(options.dimension);
    for (double& value : direction) value = random.normal();
    for (Index i = 0; i < options.num_examples; ++i) {
      truth_.push_back(random.below(options.num_outputs));
      for (Index k = 0; k < options.num_outputs; ++k) {
        for (Index j = 0; j < options.dimension; ++j) {
          features_.push_back(options.noise * random.normal() +
                              (k == truth_.back() ? direction[j] : 0.0));
        }
        costs_.push_back(k == truth_.back() ? 0.0 : 0.5 + random.uniform());
      }
    }
  }

  Index num_examples() const override { return options_.num_examples; }
  Index dimension() const override { return options_.dimension; }
  std::span<const WeightRange> nonnegative() const override { return options_.nonnegative; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  Index num_parts(Index) const override { return options_.num_outputs; }
  void target(Index i, std::span<double> z) const override {
    std::fill(z.begin(), z.end(), 0.0);
    z[truth_[i]] = 1;
  }
  void costs(Index i, std::span<double> c) const override {
    std::copy_n(costs_.begin() + static_cast<std::ptrdiff_t>(i * c.size()), c.size(), c.begin());
  }
  void scores(Index i, std::span<const double> w, Scratch&, std::span<double> s) const override {
    for (Index k = 0; k < s.size(); ++k) s[k] = dot(column(i, k), w);
  }
  void add_features(Index i, std::span<const double> z, double scale, Scratch&,
                    std::span<double> gradient) const override {
    for (Index k = 0; k < z.size(); ++k) axpy(scale * z[k], column(i, k), gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Scratch& scratch,
                SparseVector& slope) const override {
    slope.clear();
    const std::span<double> values = slope.append(0, options_.dimension);
    add_features(i, z, scale, scratch, values);
  }
  double maximize(Index, std::span<const double> s, Scratch&, std::span<double> z) const override {
    const auto best = std::max_element(s.begin(), s.end());
    std::fill(z.begin(), z.end(), 0.0);
    z[static_cast<Index>(best - s.begin())] = 1;
    return *best;
  }
  LinearProgram linear_program(Index) const override {
    LinearProgram program;
    program.num_parts = program.num_variables = options_.num_outputs;
    LinearProgram::Row one;
    for (Index k = 0; k < options_.num_outputs; ++k) one.terms.push_back({k, 1.0});
    one.lower = one.upper = 1;
    program.rows.push_back(one);
    return program;
  }
  bool faces_by_zeros() const override { return true; }
  void project(Index, std::span<const double> v, Scratch&, std::span<double> z) const override {
    std::vector<double> sorted(v.begin(), v.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double total = 0;
    double tau = 0;
    for (Index k = 0; k < sorted.size(); ++k) {
      total += sorted[k];
      const double candidate = (total - 1) / static_cast<double>(k + 1);
      if (sorted[k] > candidate) tau = candidate;
    }
    for (Index k = 0; k < v.size(); ++k) z[k] = std::max(0.0, v[k] - tau);
  }
  double log_partition(Index, std::span<const double> s, Scratch&,
                       std::span<double> z) const override {
    return softmax(s, z);
  }

 private:
  std::span<const double> column(Index i, Index k) const {
    return std::span(features_).subspan((i * options_.num_outputs + k) * options_.dimension,
                                        options_.dimension);
  }

  SimplexOracleOptions options_;
  std::vector<Index> truth_;
  std::vector<double> features_;
  std::vector<double> costs_;
};

}  // namespace trellis::testing
