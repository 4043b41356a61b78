#include "trellis/topics/disclda/bridge_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

// log of the mean of exp(factor · x_i).
double log_mean_exp(std::span<const double> x, double factor) {
  std::vector<double> scaled(x.begin(), x.end());
  scale(factor, scaled);
  return log_sum_exp(scaled) - portable_log(static_cast<double>(x.size()));
}

// Bennett's left side less his right side, which falls as `log_ratio` rises; and its slope.
struct BennettValue {
  double value = 0, slope = 0;
};
BennettValue bennett(std::span<const double> of_zero, std::span<const double> of_one, double offset,
                     double log_ratio) {
  BennettValue sum;
  for (const double x : of_zero) {
    const double p = chance_of(x - log_ratio + offset);
    sum.value += p;
    sum.slope -= p * (1 - p);
  }
  for (const double x : of_one) {
    const double p = chance_of(log_ratio - x - offset);
    sum.value -= p;
    sum.slope -= p * (1 - p);
  }
  return sum;
}

}  // namespace

double geometric_bridge(std::span<const double> of_zero, std::span<const double> of_one) {
  return log_mean_exp(of_zero, 0.5) - log_mean_exp(of_one, -0.5);
}

double optimal_bridge(std::span<const double> of_zero, std::span<const double> of_one) {
  const double zeros = static_cast<double>(of_zero.size()),
               ones = static_cast<double>(of_one.size());
  const double offset = portable_log(ones) - portable_log(zeros);
  const auto [low_zero, high_zero] = std::minmax_element(of_zero.begin(), of_zero.end());
  const auto [low_one, high_one] = std::minmax_element(of_one.begin(), of_one.end());
  // At `low` all of the left side's terms are near 1 and the right side's sum is below e⁻²; at
  // `high` the reverse.
  const double margin = 2 + portable_log(zeros + ones);
  double low = std::min(*low_zero, *low_one) + offset - margin;
  double high = std::max(*high_zero, *high_one) + offset + margin;
  double ratio = std::clamp(geometric_bridge(of_zero, of_one), low, high);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const BennettValue at = bennett(of_zero, of_one, offset, ratio);
    if (at.value == 0) break;
    (at.value > 0 ? low : high) = ratio;
    const double newton = ratio - at.value / at.slope;  // not finite where the slope vanishes
    const double next = newton > low && newton < high ? newton : low + (high - low) / 2;
    const double moved = std::abs(next - ratio);
    ratio = next;
    if (moved <= 1e-12 * std::max(1.0, std::abs(ratio))) break;
  }
  return ratio;
}

double harmonic_mean(std::span<const double> log_likelihoods) {
  return -log_mean_exp(log_likelihoods, -1);
}

}  // namespace trellis::topics
