#include "trellis/solve/vector_kernels.h"
#include <algorithm>
#include <cmath>
#include <limits>
namespace trellis {
namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
}
double dot(std::span<const double> x, std::span<const double> y) {
  double r = 0;
  for (Index i = 0; i < x.size(); ++i) r += x[i] * y[i];
  return r;
}
double squared_norm(std::span<const double> x) {
  return dot(x, x);
}
double sum(std::span<const double> x) {
  double r = 0;
  for (double v : x) r += v;
  return r;
}
void axpy(double a, std::span<const double> x, std::span<double> y) {
  for (Index i = 0; i < x.size(); ++i) y[i] += a * x[i];
}
void scale(double a, std::span<double> x) {
  for (double& v : x) v *= a;
}
double max_value(std::span<const double> x) {
  double r = -kInf;
  for (double v : x) r = std::max(r, v);
  return r;
}
double portable_exp(double x) {
  return x < -708 ? 0 : std::exp(x);
}
double portable_log(double x) {
  return std::log(x);
}
double portable_log1p(double x) {
  return std::log1p(x);
}
void exp_shifted(std::span<const double> x, double shift, std::span<double> out) {
  for (Index i = 0; i < x.size(); ++i) out[i] = portable_exp(x[i] - shift);
}
double exp_rows(const double* x, Index rows, Index width, Index stride, double* out,
                double* shifts) {
  double spread = 0;
  for (Index r = 0; r < rows; ++r, x += stride, out += stride) {
    double top = max_value({x, width}), low = kInf;
    if (top == -kInf) top = 0;
    for (Index i = 0; i < width; ++i)
      if (x[i] > -kInf) low = std::min(low, x[i]);
    spread = std::max(spread, top - low);
    shifts[r] = top;
    exp_shifted({x, width}, top, {out, width});
  }
  return spread;
}
double log_sum_exp(std::span<const double> x) {
  const double top = max_value(x);
  if (top == -kInf) return top;
  double r = 0;
  for (double v : x) r += portable_exp(v - top);
  return top + portable_log(r);
}
double softmax(std::span<const double> x, std::span<double> p) {
  const double top = max_value(x);
  if (top == -kInf) {
    std::fill(p.begin(), p.end(), 0.0);
    return top;
  }
  exp_shifted(x, top, p);
  const double total = sum(p);
  for (double& v : p) v /= total;
  return top + portable_log(total);
}
double softmax_entropy(std::span<const double> x) {
  const double top = max_value(x);
  if (top == -kInf) return 0;
  double rest = 0, slope = 0;
  bool skipped = false;
  for (double v : x) {
    const double w = portable_exp(v - top);
    if (v == top && !skipped) {
      skipped = true;
      continue;
    }
    rest += w;
    if (w > 0) slope += w * (top - v);
  }
  return portable_log1p(rest) + slope / (1 + rest);
}
}  // namespace trellis
