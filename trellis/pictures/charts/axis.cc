#include "trellis/pictures/charts/axis.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

// The smallest of 1, 2, 5 × 10^k that is at least `x` (up to rounding).
double nice_step(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= x * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

std::string linear_label(double value, double step) {
  const double magnitude = std::max(std::abs(value), step);
  if (magnitude >= 1e6 || step < 1e-6) return format_significant(value, 4);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return format_fixed(value, decimals);
}

}  // namespace

bool drawable(double x, Scale scale) {
  if (scale == Scale::kLog) return x >= 1 / kDrawable && x <= kDrawable;
  return std::abs(x) <= kDrawable;  // false for NaN
}

Axis::Axis(double low, double high, Scale scale, int about) : scale_(scale) {
  assert(drawable(low, scale) && drawable(high, scale) && low <= high && about >= 2);
  if (scale == Scale::kLog) {
    make_log(low, high, about);
  } else {
    make_linear(low, high, about);
  }
}

void Axis::make_linear(double low, double high, int about) {
  // A range below the resolution of its own numbers is drawn as one point.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= std::max(1e-9 * size, 1 / kDrawable)) {
    double margin = size < 1e-200 ? 1 : 0.05 * size;
    if (scale_ == Scale::kInteger) margin = std::max(margin, 1.0);
    low -= margin, high += margin;
  }
  double step = nice_step((high - low) / about);
  if (scale_ == Scale::kInteger) step = std::max(step, 1.0);
  const double first = std::floor(low / step + 1e-9);
  const double last = std::max(std::ceil(high / step - 1e-9), first + 1);
  low_ = first * step;
  high_ = last * step;
  for (double i = first; i <= last; ++i) ticks_.push_back({i * step, linear_label(i * step, step)});
}

void Axis::make_log(double low, double high, int about) {
  const double first = std::floor(std::log10(low) + 1e-9);
  const double last = std::max(std::ceil(std::log10(high) - 1e-9), first + 1);
  const double decades = last - first;
  const double every = std::max(1.0, std::ceil(decades / about));
  std::vector<double> values;
  for (double k = first; k <= last; k += every) {
    const double power = std::pow(10.0, k);
    values.push_back(power);
    if (decades > 2 || k == last) continue;
    values.insert(values.end(), {2 * power, 5 * power});
  }
  // Of the 1-2-5 ticks only those that the data needs; of the powers, the last may lie below it.
  while (values.size() > 2 && values[1] <= low * (1 + 1e-9)) values.erase(values.begin());
  while (values.size() > 2 && values[values.size() - 2] >= high * (1 - 1e-9)) values.pop_back();
  low_ = values.front();
  high_ = std::max(values.back(), high);
  for (const double value : values) ticks_.push_back({value, format_significant(value, 3)});
}

double Axis::position(double x) const {
  if (scale_ == Scale::kLog) {
    return (std::log10(x) - std::log10(low_)) / (std::log10(high_) - std::log10(low_));
  }
  return (x - low_) / (high_ - low_);
}

}  // namespace trellis::report
