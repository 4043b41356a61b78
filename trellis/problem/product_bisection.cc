#include "trellis/problem/product_bisection.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trellis {
namespace {

// What is closer to a bound than this is there.
constexpr double kRounding = 1e-12;

constexpr auto kByBound = [](const auto& a, const auto& b) { return a.bound < b.bound; };

}  // namespace

void ProductBisection::begin(const Answer& highest_g, const Answer& highest_c) {
  value_ = closed_ = 0;
  asked_ = 0;
  open_.clear();
  meet(highest_g.point);
  meet(highest_c.point);
  const Line top{0, highest_g.u};
  if (highest_g.u > 0 && highest_c.u > 0) {
    add(0, highest_c.u, top, top, highest_g.point, highest_c.point);
  }
}

void ProductBisection::meet(const Point& point) {
  if (point.c > 0 && point.g > 0) value_ = std::max(value_, point.c * point.g);
}

// c (u − t c) is concave, and so is the least of several: its maximum is at one's own, where two
// cross, or at an end.
double ProductBisection::highest_product(double from, double to, std::span<const Line> lines) {
  double highest = 0;
  const auto look = [&](double c) {
    c = std::clamp(c, from, to);
    double g = lines.front().u - lines.front().t * c;
    for (const Line& line : lines) g = std::min(g, line.u - line.t * c);
    highest = std::max(highest, c * g);
  };
  look(from);
  look(to);
  for (Index k = 0; k < lines.size(); ++k) {
    if (lines[k].t > 0) look(lines[k].u / (2 * lines[k].t));
    for (Index l = 0; l < k; ++l) {
      if (lines[k].t != lines[l].t) look((lines[k].u - lines[l].u) / (lines[k].t - lines[l].t));
    }
  }
  return highest;
}

// The direction in which both ends are as good; nothing where one is better than the other in all.
std::optional<double> ProductBisection::chord(const Stretch& stretch) {
  const double run = stretch.right.c - stretch.left.c;
  const double fall = stretch.left.g - stretch.right.g;
  if (!(run > 0) || !(fall > 0)) return std::nullopt;
  return fall / run;
}

void ProductBisection::add(double from, double to, const Line& flat, const Line& steep,
                           const Point& left, const Point& right) {
  Stretch stretch{from, std::max(from, to), flat, steep, left, right};  // rounding may cross them
  stretch.bound = highest_product(stretch.from, stretch.to, std::array{flat, steep});
  if (!chord(stretch)) {
    closed_ = std::max(closed_, stretch.bound);
    return;
  }
  open_.push_back(stretch);
  std::push_heap(open_.begin(), open_.end(), kByBound);
}

double ProductBisection::upper() const {
  const double open = open_.empty() ? 0 : open_.front().bound;
  return std::max({value_, closed_, open});
}

std::optional<double> ProductBisection::question() const {
  if (open_.empty() || asked_ == kMostQuestions) return std::nullopt;
  const double bound = open_.front().bound;
  if (bound <= std::max(value_, closed_) * (1 + kRounding)) return std::nullopt;
  return chord(open_.front());
}

void ProductBisection::answer(const Answer& found) {
  ++asked_;
  std::pop_heap(open_.begin(), open_.end(), kByBound);
  const Stretch stretch = open_.back();
  open_.pop_back();
  meet(found.point);
  const double t = *chord(stretch);
  const Line line{t, found.u};
  const double ends = stretch.left.g + t * stretch.left.c;
  const double height = found.point.g + t * found.point.c - ends;
  const bool above = height > kRounding * (std::abs(ends) + std::abs(found.u));
  if (above && found.point.c >= stretch.right.c) {  // as good in c, and better in g
    add(stretch.from, stretch.to, stretch.flat, line, stretch.left, found.point);
  } else if (above && found.point.c > stretch.left.c) {
    add(stretch.from, found.point.c, stretch.flat, line, stretch.left, found.point);
    add(found.point.c, stretch.to, line, stretch.steep, found.point, stretch.right);
  } else {
    const std::array lines = {stretch.flat, line, stretch.steep};
    closed_ = std::max(closed_, highest_product(stretch.from, stretch.to, lines));
  }
}

}  // namespace trellis
