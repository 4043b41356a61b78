// Losses of linear classification whose best labels are looked for by a search that misses, on
// purpose and in known ways: the twin of MarginOracle (test_oracles.h), which misses nothing.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/oracle/oracle.h"

namespace trellis::testing {

enum class Miss {
  kNothing,   // finds the best label
  kHidden,    // never sees one label of each example, which is another for each
  kNearTies,  // takes the second best label where it is nearly as good as the best
};

class MissingSearch final : public SearchOracle {
 public:
  // `slack`: how far above the true loss the upper bounds of some examples lie.
  MissingSearch(const ClassificationData& data, Miss miss, double slack = 0)
      : data_(data), truth_(data), miss_(miss), slack_(slack) {}

  // Every call is counted, and one of them may request a stop.
  mutable CallCounter counter;

  const ConvexOracle& truth() const { return truth_; }
  Index num_examples() const override { return data_.examples.size(); }
  Index dimension() const override { return data_.dimension(); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<TestScratch>(); }

  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    counter.tick();
    std::vector<double>& s = static_cast<TestScratch&>(scratch).scores;
    augment(i, w, s);
    const Index gold = data_.examples[i].label;
    const Index found = search(i, s);
    std::vector<double> residual(s.size(), 0.0);
    residual[found] += 1;
    residual[gold] -= 1;
    data_.write_slope(data_.examples[i], residual, cut.slope);
    cut.offset = found == gold ? 0 : 1;
    return s[found] - s[gold];
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    Cut cut;
    const double value = evaluate(i, w, scratch, cut);
    cut.slope.add_to(gradient, 1);
    return value;
  }
  LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                               std::span<double> gradient) const override {
    const double value = accumulate(i, w, scratch, gradient);
    return {value, loss(i, w) + slack_ * static_cast<double>(i % 3)};
  }

  // L_i(w), by all labels.
  double loss(Index i, std::span<const double> w) const {
    std::vector<double> s;
    augment(i, w, s);
    return *std::max_element(s.begin(), s.end()) - s[data_.examples[i].label];
  }

 private:
  void augment(Index i, std::span<const double> w, std::vector<double>& s) const {
    data_.scores(data_.examples[i], w, s);
    for (Index y = 0; y < s.size(); ++y) s[y] += y == data_.examples[i].label ? 0 : 1;
  }

  // Never worse than the true label.
  Index search(Index i, std::vector<double> s) const {
    const Index gold = data_.examples[i].label;
    const double lowest = *std::min_element(s.begin(), s.end()) - 1;
    const Index hidden = i % s.size();
    if (miss_ == Miss::kHidden && hidden != gold) s[hidden] = lowest;
    const auto best_of = [&] {
      return static_cast<Index>(std::max_element(s.begin(), s.end()) - s.begin());
    };
    const Index best = best_of();
    if (miss_ != Miss::kNearTies || best == gold) return best;
    const double top = s[best];
    s[best] = lowest;
    const Index second = best_of();
    return top - s[second] < kNear && s[second] >= s[gold] ? second : best;
  }

  static constexpr double kNear = 0.3;
  const ClassificationData& data_;
  MarginOracle truth_;
  Miss miss_;
  double slack_;
};

}  // namespace trellis::testing
