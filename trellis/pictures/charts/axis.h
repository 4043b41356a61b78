// Axes with round ticks.
//
// A linear axis takes the step 1, 2 or 5 × 10^k that gives about the requested number of ticks
// (Heckbert, "Nice numbers for graph labels", Graphics Gems 1990), and ends on ticks. A logarithmic
// axis has ticks at powers of ten — at every k-th one if they are many, at 1-2-5 if they are few.
// An integer axis is linear with a step of at least 1: epochs, ranks.
#pragma once

#include <string>
#include <vector>

namespace trellis::report {

enum class Scale { kLinear, kInteger, kLog };

// Beyond ±kDrawable a value has no place on an axis; on a logarithmic one, nor below 1/kDrawable.
inline constexpr double kDrawable = 1e300;
bool drawable(double x, Scale scale);

struct Tick {
  double value = 0;
  std::string label;
};

class Axis {
 public:
  // Covers the data range [low, high]; both drawable, low ≤ high. A range of one point is widened
  // around it. `about` ≥ 2 is the number of ticks wished for.
  Axis(double low, double high, Scale scale, int about);

  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  // Where x lies between low (0) and high (1).
  double position(double x) const;

 private:
  void make_linear(double low, double high, int about);
  void make_log(double low, double high, int about);

  Scale scale_;
  double low_ = 0;
  double high_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace trellis::report
