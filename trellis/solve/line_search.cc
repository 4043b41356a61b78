#include "trellis/solve/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trellis {
namespace {

constexpr double kGrowth = 4;         // of the step, while nothing is bracketed
constexpr double kMargin = 0.1;       // of a trial's distance from the ends of a bracket
constexpr double kShrinkage = 0.66;   // what a bracket should shrink by
constexpr double kNarrowest = 1e-14;  // relative width at which a bracket is given up

// The minimiser of the cubic through values and slopes at a and b (Nocedal & Wright, Eq. 3.59); NaN
// if it does not exist.
double cubic_minimum(double a, double value_a, double slope_a, double b, double value_b,
                     double slope_b) {
  const double d1 = slope_a + slope_b - 3 * (value_a - value_b) / (a - b);
  const double d2 = std::copysign(std::sqrt(d1 * d1 - slope_a * slope_b), b - a);
  return b - (b - a) * ((slope_b + d2 - d1) / (slope_b - slope_a + 2 * d2));
}

}  // namespace

WolfeSearch::WolfeSearch(double value, double slope, double first_step, Index max_trials)
    : start_{0, value, slope},
      low_(start_),
      high_(start_),
      step_(first_step),
      trials_left_(static_cast<double>(max_trials)) {}

bool WolfeSearch::falls_enough(const Point& trial) const {
  if (trial.value <= start_.value + kDecrease * trial.step * start_.slope) return true;
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(start_.value);
  return std::abs(trial.value - start_.value) <= rounding &&
         trial.slope <= (2 * kDecrease - 1) * start_.slope;
}

LineSearchStatus WolfeSearch::feed(double value, double slope) {
  const Point trial{step_, value, slope};
  if (settled_) return LineSearchStatus::kAccepted;
  trials_left_ -= 1;
  const bool usable = std::isfinite(value) && std::isfinite(slope);
  if (usable && falls_enough(trial) && std::abs(slope) <= -kCurvature * start_.slope) {
    return LineSearchStatus::kAccepted;
  }
  return bracketed_ ? narrow(trial) : expand(trial);
}

// Algorithm 3.5: low_ is the last trial; f has decreased up to it.
LineSearchStatus WolfeSearch::expand(const Point& trial) {
  if (!std::isfinite(trial.value) || !std::isfinite(trial.slope) || !falls_enough(trial) ||
      trial.value >= low_.value) {
    high_ = trial;
    bracketed_ = true;
  } else if (trial.slope >= 0) {
    high_ = low_;
    low_ = trial;
    bracketed_ = true;
  } else {
    low_ = trial;
    step_ *= kGrowth;
    return trials_left_ > 0 ? LineSearchStatus::kEvaluate : settle_for_best();
  }
  return propose_between();
}

// Algorithm 3.6.
LineSearchStatus WolfeSearch::narrow(const Point& trial) {
  if (!std::isfinite(trial.value) || !std::isfinite(trial.slope) || !falls_enough(trial) ||
      trial.value >= low_.value) {
    high_ = trial;
  } else {
    if (trial.slope * (high_.step - low_.step) >= 0) high_ = low_;
    low_ = trial;
  }
  return propose_between();
}

LineSearchStatus WolfeSearch::propose_between() {
  const double width = std::abs(high_.step - low_.step);
  if (trials_left_ <= 0 || !(width > kNarrowest * std::max(high_.step, low_.step))) {
    return settle_for_best();
  }
  const double left = std::min(low_.step, high_.step);
  const double cubic =
      cubic_minimum(low_.step, low_.value, low_.slope, high_.step, high_.value, high_.slope);
  // Bisection if there is no cubic, or if the last trial did not shrink the bracket enough.
  const bool bisect = !std::isfinite(cubic) || width > kShrinkage * last_width_;
  step_ = bisect ? left + width / 2
                 : std::clamp(cubic, left + kMargin * width, left + (1 - kMargin) * width);
  last_width_ = width;
  return LineSearchStatus::kEvaluate;
}

// Without a Wolfe point, accepts a point with enough decrease; it is evaluated once more, so that
// the caller has its value and gradient.
LineSearchStatus WolfeSearch::settle_for_best() {
  if (low_.step == 0) return LineSearchStatus::kFailed;
  step_ = low_.step;
  settled_ = true;
  return LineSearchStatus::kEvaluate;
}

std::array<double, WolfeSearch::kStateSize> WolfeSearch::state() const {
  return {start_.step,
          start_.value,
          start_.slope,
          low_.step,
          low_.value,
          low_.slope,
          high_.step,
          high_.value,
          high_.slope,
          step_,
          trials_left_,
          last_width_,
          bracketed_ ? 1.0 : 0.0,
          settled_ ? 1.0 : 0.0};
}

WolfeSearch WolfeSearch::from_state(const std::array<double, kStateSize>& state) {
  WolfeSearch search;
  search.start_ = {state[0], state[1], state[2]};
  search.low_ = {state[3], state[4], state[5]};
  search.high_ = {state[6], state[7], state[8]};
  search.step_ = state[9];
  search.trials_left_ = state[10];
  search.last_width_ = state[11];
  search.bracketed_ = state[12] != 0;
  search.settled_ = state[13] != 0;
  return search;
}

LineSearchStatus BacktrackingSearch::feed(double value, double expected_change) {
  if (expected_change < 0 && value <= start_value_ + kDecrease * expected_change) {
    return LineSearchStatus::kAccepted;
  }
  trials_left_ -= 1;
  step_ /= 2;
  return trials_left_ > 0 ? LineSearchStatus::kEvaluate : LineSearchStatus::kFailed;
}

BacktrackingSearch BacktrackingSearch::from_state(const std::array<double, kStateSize>& state) {
  BacktrackingSearch search;
  search.start_value_ = state[0];
  search.step_ = state[1];
  search.trials_left_ = state[2];
  return search;
}

}  // namespace trellis
