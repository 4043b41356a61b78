// Small problems with known answers, so that a learner's test is three lines: linear classifiers on
// sparse random data (logistic and hinge), least squares with its closed form, and constants.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/oracle/oracle.h"

namespace trellis::testing {

// Counts the calls of an oracle, and requests a stop at one of them.
class CallCounter {
 public:
  void tick() {
    if (++calls_ == stop_at_) source_.request_stop();
  }
  // Counts from 0 again, with a fresh token.
  std::stop_token restart(Index stop_at) {
    calls_ = 0;
    stop_at_ = stop_at;
    source_ = std::stop_source();
    return source_.get_token();
  }
  Index calls() const { return calls_; }

 private:
  std::atomic<Index> calls_ = 0;
  std::atomic<Index> stop_at_ = 0;
  std::stop_source source_;
};

// Passes all calls on to another oracle and counts them.
template <class OracleType>
class Counted : public OracleType {
 public:
  Counted(const OracleType& inner, CallCounter& counter) : inner_(inner), counter_(counter) {}
  Index num_examples() const override { return inner_.num_examples(); }
  Index dimension() const override { return inner_.dimension(); }
  std::unique_ptr<Scratch> make_scratch() const override { return inner_.make_scratch(); }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    counter_.tick();
    return inner_.evaluate(i, w, scratch, cut);
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    counter_.tick();
    return inner_.accumulate(i, w, scratch, gradient);
  }

 protected:
  const OracleType& inner_;
  CallCounter& counter_;
};

class CountedKBest : public Counted<KBestOracle> {
 public:
  using Counted<KBestOracle>::Counted;
  double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                         std::vector<Cut>& cuts) const override {
    counter_.tick();
    return inner_.evaluate_k_best(i, w, k, scratch, cuts);
  }
};

struct TestScratch : Scratch {
  std::vector<double> scores;
};

// n examples with a few active attributes each and one of L labels; weight j = attribute · L +
// label.
struct ClassificationData {
  struct Example {
    std::vector<Index> attributes;  // sorted
    std::vector<double> values;
    Index label = 0;
  };
  Index num_labels = 0;
  Index num_attributes = 0;
  std::vector<Example> examples;

  Index dimension() const { return num_labels * num_attributes; }

  // Labels follow a random linear model with noise, so that there is something to learn and no
  // separating weights. Attribute 0 is active everywhere.
  static ClassificationData random(std::uint64_t seed, Index n, Index num_attributes,
                                   Index num_labels) {
    Random draw(seed);
    std::vector<double> truth(num_attributes * num_labels);
    for (double& weight : truth) weight = draw.normal();
    ClassificationData data{num_labels, num_attributes, {}};
    for (Index i = 0; i < n; ++i) {
      Example example;
      for (Index a = 0; a < num_attributes; ++a) {
        if (a > 0 && draw.uniform() < 0.5) continue;
        example.attributes.push_back(a);
        example.values.push_back(a == 0 ? 1.0 : draw.normal());
      }
      std::vector<double> scores(num_labels);
      for (Index y = 0; y < num_labels; ++y) {
        scores[y] = draw.normal();
        for (Index k = 0; k < example.attributes.size(); ++k) {
          scores[y] += example.values[k] * truth[example.attributes[k] * num_labels + y];
        }
      }
      example.label =
          static_cast<Index>(std::max_element(scores.begin(), scores.end()) - scores.begin());
      data.examples.push_back(example);
    }
    return data;
  }

  void scores(const Example& example, std::span<const double> w,
              std::vector<double>& scores) const {
    scores.assign(num_labels, 0.0);
    for (Index k = 0; k < example.attributes.size(); ++k) {
      for (Index y = 0; y < num_labels; ++y) {
        scores[y] += example.values[k] * w[example.attributes[k] * num_labels + y];
      }
    }
  }

  // slope ← x ⊗ residual: one run of labels for each attribute.
  void write_slope(const Example& example, std::span<const double> residual,
                   SparseVector& slope) const {
    slope.clear();
    for (Index k = 0; k < example.attributes.size(); ++k) {
      const auto row = slope.append(example.attributes[k] * num_labels, num_labels);
      for (Index y = 0; y < num_labels; ++y) row[y] = example.values[k] * residual[y];
    }
  }
};

// Implements an oracle type by `double evaluate_cut(i, w, scratch, cut) const`.
template <class OracleType, class Derived>
class TestOracle : public OracleType {
 public:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<TestScratch>(); }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    return derived().evaluate_cut(i, w, static_cast<TestScratch&>(scratch), cut);
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    Cut cut;
    const double value = evaluate(i, w, scratch, cut);
    cut.slope.add_to(gradient, 1);
    return value;
  }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

// L_i(w) = log Σ_y exp s_y − s_{y_i}
class LogisticOracle : public TestOracle<SmoothConvexOracle, LogisticOracle> {
 public:
  explicit LogisticOracle(const ClassificationData& data) : data_(data) {}
  Index num_examples() const override { return data_.examples.size(); }
  Index dimension() const override { return data_.dimension(); }

  double evaluate_cut(Index i, std::span<const double> w, TestScratch& scratch, Cut& cut) const {
    const auto& example = data_.examples[i];
    std::vector<double>& p = scratch.scores;
    data_.scores(example, w, p);
    const double gold = p[example.label];
    const double top = *std::max_element(p.begin(), p.end());
    double sum = 0;
    for (double& s : p) sum += s = std::exp(s - top);
    const double loss = top + std::log(sum) - gold;
    for (double& s : p) s /= sum;
    p[example.label] -= 1;
    data_.write_slope(example, p, cut.slope);
    cut.offset = loss - cut.slope.dot(w);
    return loss;
  }

 private:
  const ClassificationData& data_;
};

// L_i(w) = max_y s_y − s_{y_i} + γ [y ≠ y_i]
class MarginOracle : public TestOracle<KBestOracle, MarginOracle> {
 public:
  explicit MarginOracle(const ClassificationData& data, double gamma = 1)
      : data_(data), gamma_(gamma) {}
  Index num_examples() const override { return data_.examples.size(); }
  Index dimension() const override { return data_.dimension(); }

  double evaluate_cut(Index i, std::span<const double> w, TestScratch& scratch, Cut& cut) const {
    augment(i, w, scratch);
    const auto best = std::max_element(scratch.scores.begin(), scratch.scores.end());
    return write_cut(i, static_cast<Index>(best - scratch.scores.begin()), scratch, cut);
  }

  double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                         std::vector<Cut>& cuts) const override {
    auto& memory = static_cast<TestScratch&>(scratch);
    augment(i, w, memory);
    std::vector<Index> order(data_.num_labels);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return memory.scores[a] > memory.scores[b]; });
    cuts.resize(std::min(k, order.size()));
    for (Index j = cuts.size(); j-- > 1;) write_cut(i, order[j], memory, cuts[j]);
    return write_cut(i, order[0], memory, cuts[0]);
  }

 private:
  void augment(Index i, std::span<const double> w, TestScratch& scratch) const {
    data_.scores(data_.examples[i], w, scratch.scores);
    for (Index y = 0; y < data_.num_labels; ++y) {
      if (y != data_.examples[i].label) scratch.scores[y] += gamma_;
    }
  }

  double write_cut(Index i, Index y, const TestScratch& scratch, Cut& cut) const {
    const auto& example = data_.examples[i];
    std::vector<double> residual(data_.num_labels, 0.0);
    residual[y] += 1;
    residual[example.label] -= 1;
    data_.write_slope(example, residual, cut.slope);
    cut.offset = y == example.label ? 0 : gamma_;
    return scratch.scores[y] - scratch.scores[example.label];
  }

  const ClassificationData& data_;
  double gamma_;
};

// L_i(w) = ½(⟨x_i, w⟩ − t_i)²
class LeastSquaresOracle : public TestOracle<SmoothConvexOracle, LeastSquaresOracle> {
 public:
  LeastSquaresOracle(std::uint64_t seed, Index n, Index dimension) : dimension_(dimension) {
    Random draw(seed);
    for (Index i = 0; i < n; ++i) {
      std::vector<double> x(dimension);
      for (double& value : x) value = draw.normal();
      x_.push_back(x);
      targets_.push_back(3 * draw.normal());
    }
  }
  Index num_examples() const override { return x_.size(); }
  Index dimension() const override { return dimension_; }

  double evaluate_cut(Index i, std::span<const double> w, TestScratch&, Cut& cut) const {
    const double error = std::inner_product(w.begin(), w.end(), x_[i].begin(), 0.0) - targets_[i];
    cut.slope.clear();
    const auto row = cut.slope.append(0, dimension_);
    for (Index j = 0; j < dimension_; ++j) row[j] = error * x_[i][j];
    const double loss = error * error / 2;
    cut.offset = loss - cut.slope.dot(w);
    return loss;
  }

  // The minimum of λ/2 ‖w‖² + (1/n) Σ L_i: the normal equations, by Gaussian elimination (they are
  // positive definite, so no pivoting).
  std::vector<double> minimum(double lambda) const {
    const Index d = dimension_;
    const double n = static_cast<double>(x_.size());
    std::vector<std::vector<double>> a(d, std::vector<double>(d + 1, 0.0));
    for (Index r = 0; r < d; ++r) {
      a[r][r] = lambda;
      for (Index i = 0; i < x_.size(); ++i) {
        for (Index c = 0; c < d; ++c) a[r][c] += x_[i][r] * x_[i][c] / n;
        a[r][d] += x_[i][r] * targets_[i] / n;
      }
    }
    for (Index r = 0; r < d; ++r) {
      for (Index below = 0; below < d; ++below) {
        if (below == r) continue;
        const double factor = a[below][r] / a[r][r];
        for (Index c = r; c <= d; ++c) a[below][c] -= factor * a[r][c];
      }
    }
    std::vector<double> w(d);
    for (Index r = 0; r < d; ++r) w[r] = a[r][d] / a[r][r];
    return w;
  }

 private:
  Index dimension_;
  std::vector<std::vector<double>> x_;
  std::vector<double> targets_;
};

// L_i(w) = value: no slope at all.
template <class OracleType>
class ConstantOracle : public TestOracle<OracleType, ConstantOracle<OracleType>> {
 public:
  ConstantOracle(Index n, Index dimension, double value)
      : n_(n), dimension_(dimension), value_(value) {}
  Index num_examples() const override { return n_; }
  Index dimension() const override { return dimension_; }
  double evaluate_cut(Index, std::span<const double>, TestScratch&, Cut& cut) const {
    cut.slope.clear();
    cut.offset = value_;
    return value_;
  }

 private:
  Index n_;
  Index dimension_;
  double value_;
};

class ConstantKBestOracle : public TestOracle<KBestOracle, ConstantKBestOracle> {
 public:
  ConstantKBestOracle(Index n, Index dimension, double value) : constant_(n, dimension, value) {}
  Index num_examples() const override { return constant_.num_examples(); }
  Index dimension() const override { return constant_.dimension(); }
  double evaluate_cut(Index i, std::span<const double> w, TestScratch& scratch, Cut& cut) const {
    return constant_.evaluate_cut(i, w, scratch, cut);
  }
  double evaluate_k_best(Index i, std::span<const double> w, Index, Scratch& scratch,
                         std::vector<Cut>& cuts) const override {
    cuts.resize(1);
    return evaluate(i, w, scratch, cuts[0]);
  }

 private:
  ConstantOracle<HingeOracle> constant_;
};

// P(w), by plain addition.
inline double objective(const Oracle& oracle, std::span<const double> w, double lambda,
                        double rho = 0) {
  const auto scratch = oracle.make_scratch();
  Cut cut;
  double risk = 0;
  for (Index i = 0; i < oracle.num_examples(); ++i) risk += oracle.evaluate(i, w, *scratch, cut);
  double value = risk / static_cast<double>(oracle.num_examples());
  for (const double x : w) value += lambda / 2 * x * x + rho * std::abs(x);
  return value;
}

}  // namespace trellis::testing
