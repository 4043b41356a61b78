#include "trellis/topics/embedding/leading_axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/base/random.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr std::uint64_t kAxesSeed = 1;
constexpr Index kMoreAxes = 4;
constexpr int kJacobiSweeps = 30;

using Columns = std::vector<std::vector<double>>;

// Gram–Schmidt, twice, as once is not orthogonal to rounding. A vector that depends on those before
// it becomes zero.
void orthonormalize(Columns& q) {
  for (Index j = 0; j < q.size(); ++j) {
    const double before = std::sqrt(squared_norm(q[j]));
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < j; ++i) axpy(-dot(q[i], q[j]), q[i], q[j]);
    }
    const double after = std::sqrt(squared_norm(q[j]));
    scale(after > 1e-12 * before ? 1 / after : 0, q[j]);
  }
}

// Turns rows and columns i, j of s so that s_ij = 0 (Golub & Van Loan, algorithm 8.5.1), and the
// columns of v with them.
void rotate(Columns& s, Columns& v, Index i, Index j) {
  if (s[i][j] == 0) return;
  const double tau = (s[j][j] - s[i][i]) / (2 * s[i][j]);
  const double root = std::sqrt(1 + tau * tau);
  const double t = tau >= 0 ? 1 / (tau + root) : 1 / (tau - root);
  const double c = 1 / std::sqrt(1 + t * t), sine = t * c;
  for (Index k = 0; k < s.size(); ++k) {
    const double a = s[k][i], b = s[k][j];
    s[k][i] = c * a - sine * b;
    s[k][j] = sine * a + c * b;
  }
  for (Index k = 0; k < s.size(); ++k) {
    const double a = s[i][k], b = s[j][k];
    s[i][k] = c * a - sine * b;
    s[j][k] = sine * a + c * b;
  }
  for (Index k = 0; k < s.size(); ++k) {
    const double a = v[k][i], b = v[k][j];
    v[k][i] = c * a - sine * b;
    v[k][j] = sine * a + c * b;
  }
}

void make_largest_positive(std::vector<double>& v) {
  const auto largest = std::max_element(
      v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest != v.end() && *largest < 0) scale(-1, v);
}

}  // namespace

LeadingAxes leading_axes(Index n, Index count, int rounds, const Multiply& multiply) {
  count = std::min(count, n);
  const Index width = std::min(count + kMoreAxes, n);
  Columns q(width, std::vector<double>(n)), product = q;
  for (Index j = 0; j < width; ++j) {
    Random random(kAxesSeed, j);
    for (double& x : q[j]) x = random.uniform() - 0.5;
  }
  orthonormalize(q);
  for (int round = 0; round < rounds; ++round) {
    for (Index j = 0; j < width; ++j) multiply(q[j], product[j]);
    std::swap(q, product);
    orthonormalize(q);
  }

  Columns s(width, std::vector<double>(width)), v = s;
  for (Index j = 0; j < width; ++j) {
    multiply(q[j], product[j]);
    v[j][j] = 1;
  }
  for (Index i = 0; i < width; ++i) {
    for (Index j = i; j < width; ++j) s[i][j] = s[j][i] = dot(q[i], product[j]);
  }
  for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
    for (Index i = 0; i < width; ++i) {
      for (Index j = i + 1; j < width; ++j) rotate(s, v, i, j);
    }
  }
  std::vector<Index> order(width);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return s[a][a] > s[b][b]; });

  LeadingAxes out;
  for (Index r = 0; r < count; ++r) {
    const Index column = order[r];
    std::vector<double> axis(n, 0.0);
    for (Index j = 0; j < width; ++j) axpy(v[j][column], q[j], axis);
    make_largest_positive(axis);
    out.values.push_back(std::max(0.0, s[column][column]));
    out.vectors.push_back(std::move(axis));
  }
  return out;
}

}  // namespace trellis::topics
