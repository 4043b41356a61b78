#include "trellis/solve/polytopes/simplex_projection.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "trellis/base/types.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The smallest of the candidates that stay positive at τ, i.e. that lie above
// (Σ of the larger ones and itself − r) / their number. Changes the order of the candidates.
double smallest_positive(std::vector<double>& candidates, double r) {
  auto begin = candidates.begin(), end = candidates.end();
  double sum = 0;  // of the values before `begin`, all of which stay
  double count = 0;
  double smallest = 0;
  while (begin != end) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, std::greater<>());
    double upper_sum = sum;
    for (auto i = begin; i <= middle; ++i) upper_sum += *i;
    const double upper_count = count + static_cast<double>(middle + 1 - begin);
    if (*middle * upper_count > upper_sum - r) {
      smallest = *middle;
      sum = upper_sum;
      count = upper_count;
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return smallest;
}

}  // namespace

void project_simplex(std::span<const double> v, double r, std::span<double> z,
                     std::vector<double>& memory) {
  assert(v.size() == z.size() && r >= 0 && (r == 0 || !v.empty()));
  if (r == 0) {
    std::fill(z.begin(), z.end(), 0.0);
    return;
  }
  const double largest = max_value(v);
  memory.clear();
  for (const double value : v) {
    if (value - largest > -r) memory.push_back(value - largest);
  }
  const double smallest = smallest_positive(memory, r);
  // Once more in the order of v: nth_element leaves another order with every standard library.
  double sum = 0;
  Index count = 0;
  for (const double value : v) {
    if (value - largest >= smallest) sum += value - largest, ++count;
  }
  const double tau = (sum - r) / static_cast<double>(count);
  for (Index i = 0; i < v.size(); ++i) z[i] = std::max(0.0, v[i] - largest - tau);
}

void project_simplex_hull(std::span<const double> v, double r, std::span<double> z,
                          std::vector<double>& memory) {
  assert(v.size() == z.size() && r >= 0);
  double sum = 0;
  for (const double value : v) sum += std::max(0.0, value);
  if (sum > r) return project_simplex(v, r, z, memory);
  for (Index i = 0; i < v.size(); ++i) z[i] = std::max(0.0, v[i]);
}

}  // namespace trellis
