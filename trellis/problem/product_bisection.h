// The largest product c(y) g(y) over outputs y with c ≥ 0, where only best outputs of mixtures
// g + t c, t ≥ 0, can be asked for (Sarawagi & Gupta 2008, "Accurate max-margin training for
// structured output spaces", by bisection of t; Choi, Meshi & Srebro 2016).
//
// The answer to t is a point (c, g) and a number u with g(y) + t c(y) ≤ u for all y: a line above
// all points, which goes through this one if the answer is exact. Between two points that were met,
// outputs lie below the two lines, which bounds their products. The stretch with the highest bound
// is asked in the direction of its chord, until none has a bound above the best product that was
// met. A stretch whose chord has no point above it is an edge of the hull of all points: what lies
// on it between the two outputs, or below, cannot be asked for, and its bound remains.
//
//   value ≤ max_y c(y) g(y) ≤ upper,
//
// where value is that of the best point that was met, and upper, if answers are exact, at most the
// largest product on the hull. Each point of the hull is met once at the most: five to ten
// questions in all, mostly.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class ProductBisection {
 public:
  struct Point {
    double c = 0, g = 0;
  };
  // The answer to t: the point that was found, and u ≥ g(y) + t c(y) for all y.
  struct Answer {
    Point point;
    double u = 0;
  };

  // Answers to the two ends: the highest g (t = 0), and the highest c, whose u bounds c alone.
  void begin(const Answer& highest_g, const Answer& highest_c);

  // The next t to be asked for; nothing where value and upper will not come closer.
  std::optional<double> question() const;
  void answer(const Answer& found);

  double value() const { return value_; }
  double upper() const;

 private:
  static constexpr Index kMostQuestions = 64;

  struct Line {  // g ≤ u − t c
    double t = 0, u = 0;
  };
  // Outputs with from ≤ c ≤ to: below two lines, and two of them.
  struct Stretch {
    double from = 0, to = 0;
    Line flat, steep;
    Point left, right;
    double bound = 0;
  };

  static double highest_product(double from, double to, std::span<const Line> lines);
  static std::optional<double> chord(const Stretch& stretch);
  void meet(const Point& point);
  void add(double from, double to, const Line& flat, const Line& steep, const Point& left,
           const Point& right);

  double value_ = 0;   // of what was met
  double closed_ = 0;  // the highest bound of stretches that are not asked again
  Index asked_ = 0;
  std::vector<Stretch> open_;  // a heap by bound
};

}  // namespace trellis
