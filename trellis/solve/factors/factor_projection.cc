#include "trellis/solve/factors/factor_projection.h"

#include <algorithm>
#include <cassert>
#include <ranges>

#include "trellis/solve/falling_root.h"
#include "trellis/solve/polytopes/simplex_projection.h"

namespace trellis {
namespace {

// q ← what is in [0, 1]; returns its sum.
double clip_to_box(std::span<double> q) {
  double sum = 0;
  for (double& value : q) sum += value = std::clamp(value, 0.0, 1.0);
  return sum;
}

// {0 ≤ q ≤ 1, Σ q = b} where the box alone has more: q = clip(a − τ), and the sum falls with τ.
void project_budget(std::span<const double> a, double b, std::span<double> q) {
  const double largest = *std::ranges::max_element(a);
  const double tau = falling_root(std::max(0.0, largest), [&](double candidate) {
    FallingValue at{-b, 0};
    for (const double value : a) {
      const double rest = value - candidate;
      at.value += std::clamp(rest, 0.0, 1.0);
      at.fall += rest > 0 && rest < 1 ? 1 : 0;
    }
    return at;
  });
  for (Index l = 0; l < q.size(); ++l) q[l] = std::clamp(a[l] - tau, 0.0, 1.0);
}

// std::clamp by values, which compilers turn into vector instructions.
inline double clip(double x, double least, double most) {
  const double above = x < least ? least : x;
  return above > most ? most : above;
}

}  // namespace

void project_attractive_pairs(const double* __restrict score, const double* __restrict b1,
                              const double* __restrict b2, double scale, Index size,
                              double* __restrict q1, double* __restrict q2) {
  for (Index k = 0; k < size; ++k) {
    const double first = b1[k] * scale, second = b2[k] * scale, w = score[k] * scale;
    // How much of w the first gets: all where it stays the smaller, none where it is the larger.
    const double share = clip(0.5 * (w - (first - second)), 0.0, w);
    q1[k] = clip(first + share, 0.0, 1.0);
    q2[k] = clip(second + (w - share), 0.0, 1.0);
  }
}

void project_repulsive_pairs(const double* __restrict score, const double* __restrict b1,
                             const double* __restrict b2, double scale, Index size,
                             double* __restrict q1, double* __restrict q2) {
  for (Index k = 0; k < size; ++k) {
    const double w = -score[k] * scale;
    const double first = b1[k] * scale - w, second = 1 - b2[k] * scale;
    const double share = clip(0.5 * (w - (first - second)), 0.0, w);
    q1[k] = clip(first + share, 0.0, 1.0);
    q2[k] = 1 - clip(second + (w - share), 0.0, 1.0);
  }
}

void project_logical(FactorKind kind, std::span<const Literal> literals, Index budget,
                     std::span<const double> a, std::span<double> q, std::vector<double>& memory) {
  assert(literals.size() == a.size() && q.size() == a.size());
  const Index n = a.size();
  for (Index l = 0; l < n; ++l) q[l] = literals[l].negated ? 1 - a[l] : a[l];
  switch (kind) {
    case FactorKind::kOneOf:
      project_simplex(q, 1, q, memory);
      break;
    case FactorKind::kAtMostOne:
      project_simplex_hull(q, 1, q, memory);
      break;
    case FactorKind::kOr: {
      double sum = 0;
      for (const double value : q) sum += std::clamp(value, 0.0, 1.0);
      if (sum < 1) {
        project_simplex(q, 1, q, memory);
      } else {
        clip_to_box(q);
      }
      break;
    }
    default: {
      assert(kind == FactorKind::kBudget);
      double sum = 0;
      for (const double value : q) sum += std::clamp(value, 0.0, 1.0);
      if (sum > static_cast<double>(budget)) {
        memory.assign(q.begin(), q.end());
        project_budget(memory, static_cast<double>(budget), q);
      } else {
        clip_to_box(q);
      }
    }
  }
  for (Index l = 0; l < n; ++l) {
    if (literals[l].negated) q[l] = 1 - q[l];
  }
}

}  // namespace trellis
