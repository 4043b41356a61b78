#include "trellis/solve/smooth_minimum.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trellis {
namespace {

// Rosenbrock's valley, whose minimum is 0 at (1, 1); remembers whether iterates fell.
class Valley final : public SmoothFunction {
 public:
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    const double a = 1 - x[0], b = x[1] - x[0] * x[0];
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    slope_ = std::hypot(gradient[0], gradient[1]);
    return value_ = a * a + 100 * b * b;
  }
  bool accept() override {
    fell_ = fell_ && value_ <= last_;
    last_ = value_;
    return slope_ < 1e-9;
  }
  bool fell() const { return fell_; }
  double last() const { return last_; }

 private:
  double value_ = 0, slope_ = 0, last_ = kInfinity;
  bool fell_ = true;
};

TEST(SmoothMinimum, FindsTheBottomOfAValleyDownhill) {
  Valley valley;
  SmoothMinimizer minimizer;
  std::vector<double> x = {-1.2, 1};
  SmoothMinimumOptions options;
  options.first_step = 1e-3;
  options.max_evaluations = 500;
  const double value = minimizer.minimize(valley, options, x);
  EXPECT_NEAR(value, 0, 1e-15);
  EXPECT_NEAR(x[0], 1, 1e-7);
  EXPECT_NEAR(x[1], 1, 1e-7);
  EXPECT_TRUE(valley.fell());
  EXPECT_LT(minimizer.evaluations(), 100U);
}

TEST(SmoothMinimum, StaysAtTheBestPointWhenEvaluationsRunOut) {
  SmoothMinimizer minimizer;
  double last = kInfinity;
  for (Index evaluations = 1; evaluations < 40; ++evaluations) {
    Valley valley;
    std::vector<double> x = {-1.2, 1};
    SmoothMinimumOptions options;
    options.first_step = 1e-3;
    options.max_evaluations = evaluations;
    const double value = minimizer.minimize(valley, options, x);
    EXPECT_LE(minimizer.evaluations(), evaluations);
    EXPECT_LE(value, last);
    EXPECT_EQ(value, valley.last());
    last = value;
  }
}

}  // namespace
}  // namespace trellis
