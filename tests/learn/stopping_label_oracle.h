// A LabelOracle that interrupts its learner.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "tests/learn/test_oracles.h"
#include "trellis/oracle/label_oracle.h"

namespace trellis::testing {

// Requests a stop after so many scorings.
class StoppingLabelOracle final : public LabelOracle {
 public:
  StoppingLabelOracle(const LabelOracle& inner, CallCounter& counter)
      : inner_(inner), counter_(counter) {}
  Index num_examples() const override { return inner_.num_examples(); }
  Index num_labels() const override { return inner_.num_labels(); }
  Index dimension() const override { return inner_.dimension(); }
  Index gold(Index i) const override { return inner_.gold(i); }
  double weight(Index i) const override { return inner_.weight(i); }
  double squared_norm(Index i) const override { return inner_.squared_norm(i); }
  void add_costs(Index i, std::span<double> s) const override { inner_.add_costs(i, s); }
  void add_costs(Index i, std::span<const std::uint32_t> labels,
                 std::span<double> s) const override {
    inner_.add_costs(i, labels, s);
  }
  void scores(Index i, std::span<const double> w, std::span<double> s) const override {
    counter_.tick();
    inner_.scores(i, w, s);
  }
  void scores(Index i, std::span<const double> w, std::span<const std::uint32_t> labels,
              std::span<double> s) const override {
    counter_.tick();
    inner_.scores(i, w, labels, s);
  }
  void add(Index i, std::span<const std::uint32_t> labels, std::span<const double> deltas,
           std::span<double> w) const override {
    inner_.add(i, labels, deltas, w);
  }
  void add(Index i, std::span<const double> deltas, std::span<double> w) const override {
    inner_.add(i, deltas, w);
  }
  bool knows_scores() const override { return inner_.knows_scores(); }
  bool coefficients(Index i, std::span<const double> w, std::span<double> beta) const override {
    return inner_.coefficients(i, w, beta);
  }
  std::pair<std::span<const double>, std::span<const double>> length_factors(
      std::span<const double> w) const override {
    return inner_.length_factors(w);
  }

 private:
  const LabelOracle& inner_;
  CallCounter& counter_;
};

}  // namespace trellis::testing
