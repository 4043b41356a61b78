#include "trellis/learn/saddle_point/spectral_norm.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kMaxPasses = 100;

// Whether T − θI is negative definite: all pivots of its elimination are.
bool above_all(double theta, std::span<const double> diagonal,
               std::span<const double> off_diagonal) {
  double pivot = diagonal[0] - theta;
  for (Index k = 1; k < diagonal.size() && pivot < 0; ++k) {
    pivot = diagonal[k] - theta - off_diagonal[k - 1] * off_diagonal[k - 1] / pivot;
  }
  return pivot < 0;
}

// The largest eigenvalue θ of the tridiagonal matrix T, by bisection to the last bit, and the last
// entry of its eigenvector v. Row k of T v = θ v gives v_k / v_{k−1} from v_{k+1} / v_k, and since
// no part of T has a larger eigenvalue, without a subtraction that cancels.
std::pair<double, double> largest_eigenvalue(std::span<const double> diagonal,
                                             std::span<const double> off_diagonal) {
  const Index size = diagonal.size();
  double below = *std::max_element(diagonal.begin(), diagonal.end());
  double theta = below;
  for (const double link : off_diagonal) theta = std::max(theta, below + 2 * link);
  theta += 1e-15 * std::abs(theta);
  for (double middle = below + (theta - below) / 2; below < middle && middle < theta;
       middle = below + (theta - below) / 2) {
    (above_all(middle, diagonal, off_diagonal) ? theta : below) = middle;
  }
  std::vector<double> ratio(size, 0.0);  // v_k / v_{k−1}
  for (Index k = size - 1; k > 0; --k) {
    const double next = k + 1 < size ? off_diagonal[k] * ratio[k + 1] : 0;
    const double rest = theta - diagonal[k] - next;
    ratio[k] = off_diagonal[k - 1] / std::max(rest, 1e-15 * theta);
  }
  double last = 1, square = 1;
  for (Index k = 1; k < size; ++k) {
    last *= ratio[k];
    square += last * last;
  }
  return {theta, last / std::sqrt(square)};
}

// q ← Σ_i F_i ξ_i with random ξ: within the range of F, where the eigenvectors are. (There may be
// coordinates that scores read and no feature writes; weights are 0 there.) False if stopped.
bool random_start(const PartOracle& oracle, std::uint64_t seed, PartPass& pass,
                  std::span<double> q) {
  const std::span<double> sums[] = {q};
  return pass
      .sum(sums,
           [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
             const std::span<double> z = memory.get(0, oracle.num_parts(i));
             Random random(seed, i);
             for (double& part : z) part = random.normal();
             oracle.features(i, z, 1, scratch, terms.slopes[0]);
           })
      .has_value();
}

}  // namespace

std::optional<double> spectral_norm(const PartOracle& oracle, const SpectralNormOptions& options) {
  PartPass pass(oracle, options.threads, options.stop);
  std::vector<double> q(oracle.dimension());
  if (!random_start(oracle, options.seed, pass, q)) return std::nullopt;
  std::vector<double> before(q.size(), 0.0);
  std::vector<double> product(q.size());
  std::vector<double> diagonal;
  std::vector<double> off_diagonal;  // off_diagonal[k] links vectors k and k + 1
  double norm = std::sqrt(oracle.inner_product(q, q));
  double estimate = 0;
  for (Index k = 0; k < kMaxPasses && norm > 0; ++k) {
    scale(1 / norm, q);
    // ⟨q, F Fᵀ q⟩ = ‖Fᵀ q‖²
    const std::span<double> sums[] = {product};
    const auto totals =
        pass.sum(sums, [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
          const std::span<double> s = memory.get(0, oracle.num_parts(i));
          oracle.scores(i, q, scratch, s);
          terms.numbers[0] = squared_norm(s);
          oracle.features(i, s, 1, scratch, terms.slopes[0]);
        });
    if (!totals) return std::nullopt;
    const double square = (*totals)[0];
    diagonal.push_back(square);
    axpy(-square, q, product);
    if (!off_diagonal.empty()) axpy(-off_diagonal.back(), before, product);
    norm = std::sqrt(std::max(0.0, oracle.inner_product(product, product)));
    const auto [theta, last] = largest_eigenvalue(diagonal, off_diagonal);
    estimate = theta;
    if (norm * std::abs(last) <= options.tolerance * theta) break;
    off_diagonal.push_back(norm);
    std::swap(before, q);
    std::swap(q, product);
  }
  return std::sqrt(std::max(0.0, estimate));
}

}  // namespace trellis
