// Line searches by reverse communication: the search proposes a step t, the caller evaluates φ(t) =
// f(x + t d) and φ'(t), and passes both back. The state is a few numbers, so that a search can be
// interrupted and resumed to the same bits.
#pragma once

#include <array>
#include <limits>

#include "trellis/base/types.h"

namespace trellis {

enum class LineSearchStatus {
  kEvaluate,  // evaluate at step() and call feed()
  kAccepted,  // the point just fed is the result
  kFailed,    // no step along this direction improves f at the precision of a double
};

// The strong Wolfe conditions
//
//   φ(t) ≤ φ(0) + c₁ t φ'(0)      and      |φ'(t)| ≤ c₂ |φ'(0)|
//
// by Nocedal & Wright (2006), Algorithms 3.5 and 3.6: the step grows until an interval brackets
// such a point, which is then narrowed by safeguarded cubic interpolation. Near the optimum, where
// f falls by less than its rounding, the first condition is replaced by the one on slopes of
// Hager & Zhang (2005), Eq. (4.1): (2c₁ − 1) φ'(0) ≥ φ'(t), which implies it for quadratics.
class WolfeSearch {
 public:
  static constexpr double kDecrease = 1e-4;  // c₁
  static constexpr double kCurvature = 0.9;  // c₂
  static constexpr Index kStateSize = 14;

  WolfeSearch() = default;
  // φ(0), φ'(0) < 0, the first trial and how many trials are allowed.
  WolfeSearch(double value, double slope, double first_step, Index max_trials);

  double step() const { return step_; }
  // φ and φ' at step(). NaN and ∞ count as too far.
  LineSearchStatus feed(double value, double slope);

  std::array<double, kStateSize> state() const;
  static WolfeSearch from_state(const std::array<double, kStateSize>& state);

 private:
  struct Point {
    double step = 0;
    double value = 0;
    double slope = 0;
  };

  bool falls_enough(const Point& trial) const;
  LineSearchStatus expand(const Point& trial);
  LineSearchStatus narrow(const Point& trial);
  LineSearchStatus propose_between();
  LineSearchStatus settle_for_best();

  Point start_;
  Point low_;   // the best point with enough decrease so far
  Point high_;  // with low_ brackets a Wolfe point, once bracketed_
  double step_ = 0;
  double trials_left_ = 0;
  double last_width_ = std::numeric_limits<double>::infinity();  // of the bracket, one trial ago
  bool bracketed_ = false;
  bool settled_ = false;  // the trials are used up; the next point fed is taken as it is
};

// Backtracking for directions along which f is only piecewise smooth, such as OWL-QN's, where the
// point is projected and so moves by `x(t) − x(0)` and not by t d: halves the step until
// f(x(t)) ≤ f(x(0)) + c₁ ⟨∇f(x(0)), x(t) − x(0)⟩ (Andrew & Gao 2007, sec. 3.2).
class BacktrackingSearch {
 public:
  static constexpr double kDecrease = 1e-4;
  static constexpr Index kStateSize = 3;

  BacktrackingSearch() = default;
  BacktrackingSearch(double value, double first_step, Index max_trials)
      : start_value_(value), step_(first_step), trials_left_(static_cast<double>(max_trials)) {}

  double step() const { return step_; }
  // f(x(t)) at step(), and ⟨∇f(x(0)), x(t) − x(0)⟩.
  LineSearchStatus feed(double value, double expected_change);

  std::array<double, kStateSize> state() const { return {start_value_, step_, trials_left_}; }
  static BacktrackingSearch from_state(const std::array<double, kStateSize>& state);

 private:
  double start_value_ = 0;
  double step_ = 0;
  double trials_left_ = 0;
};

}  // namespace trellis
