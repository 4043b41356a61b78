#include "trellis/learn/batch/bundle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/solve/falling_root.h"
#include "trellis/solve/polytopes/simplex_qp.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

std::span<const double> part(std::span<const double> x, const WeightRange& range) {
  return x.subspan(range.begin, range.end - range.begin);
}

// A square matrix of `size` by rows loses row and column k.
void erase_row_and_column(std::vector<double>& matrix, Index size, Index k) {
  Index kept = 0;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      if (i != k && j != k) matrix[kept++] = matrix[i * size + j];
    }
  }
  matrix.resize(kept);
}

template <class Value>
void erase_at(std::vector<Value>& values, Index k) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(k));
}

}  // namespace

Bundle::Bundle(Index dimension, double lambda, std::span<const WeightRange> nonnegative,
               int threads)
    : dimension_(dimension),
      lambda_(lambda),
      threads_(resolve_threads(threads)),
      nonnegative_(nonnegative.begin(), nonnegative.end()),
      slopes_(1),
      offsets_(1, 0.0),
      alpha_(1, 1.0),
      idle_(1, 0),
      gram_(1, 0.0),
      u_(dimension, 0.0),
      minimizer_(dimension, 0.0) {
  Index begin = 0;
  for (const WeightRange& range : nonnegative_) {
    if (begin < range.begin) free_.push_back({begin, range.begin});
    begin = range.end;
  }
  if (begin < dimension) free_.push_back({begin, dimension});
}

void Bundle::add(std::span<const double> slope, double offset) {
  slopes_.emplace_back(slope.begin(), slope.end());
  offsets_.push_back(offset);
  alpha_.push_back(0);
  idle_.push_back(0);
  const Index k = size();
  std::vector<double> products(k, 0.0);
  parallel_for(k - 1, threads_, [&](Index l, int) {
    products[l + 1] = free_product(slopes_[l + 1], slope) / lambda_;
  });
  std::vector<double> gram(k * k);
  for (Index l = 0; l + 1 < k; ++l) {
    std::copy_n(gram_.data() + l * (k - 1), k - 1, gram.data() + l * k);
    gram[l * k + k - 1] = products[l];
  }
  std::copy(products.begin(), products.end(), gram.end() - static_cast<std::ptrdiff_t>(k));
  gram_ = std::move(gram);
}

double Bundle::free_product(std::span<const double> x, std::span<const double> y) const {
  double sum = 0;
  for (const WeightRange& range : free_) sum += inner_product(part(x, range), part(y, range));
  return sum;
}

void Bundle::solve() {
  if (nonnegative_.empty()) {
    simplex_qp(gram_, offsets_, alpha_);
    combine(alpha_, u_);
  } else {
    solve_by_pieces();
  }
  std::copy(u_.begin(), u_.end(), minimizer_.begin());
  clip(nonnegative_, minimizer_);
  bound_ = value(alpha_, u_);
  for (Index k = 0; k < size(); ++k) idle_[k] = alpha_[k] > 0 ? 0 : idle_[k] + 1;
}

// u ← −Aα/λ
void Bundle::combine(std::span<const double> alpha, std::span<double> u) const {
  Blocks(dimension_, threads_).each([&](Block b) {
    const std::span<double> block = b.of(u);
    std::fill(block.begin(), block.end(), 0.0);
    for (Index k = 1; k < slopes_.size(); ++k) {
      if (alpha[k] != 0) axpy(-alpha[k] / lambda_, b.of(slopes_[k]), block);
    }
  });
}

// D, from the slopes themselves: a bound by proof, whatever rounding did to the Gram matrix.
double Bundle::value(std::span<const double> alpha, std::span<const double> u) const {
  return dot(offsets_, alpha) - lambda_ / 2 * squared_norm_in_set(u);
}

// ‖[u]‖²
double Bundle::squared_norm_in_set(std::span<const double> u) const {
  double squared = free_product(u, u);
  for (const WeightRange& range : nonnegative_) {
    for (const double x : part(u, range)) squared += x > 0 ? x * x : 0.0;
  }
  return squared;
}

void Bundle::solve_by_pieces() {
  constexpr int kMaxNewtonSteps = 100;
  std::vector<double> target(dimension_);
  std::vector<double> best;
  std::vector<double> gram;
  combine(alpha_, u_);
  for (int step = 0; step < kMaxNewtonSteps; ++step) {
    gram = gram_;
    add_positive_part(u_, gram);
    best = alpha_;
    simplex_qp(gram, offsets_, best);
    combine(best, target);
    const double offset_change = dot(offsets_, best) - dot(offsets_, alpha_);
    const double theta = best_step(offset_change, u_, target);
    if (theta == 0) return;  // no way up: α is optimal, to rounding
    const bool done = theta == 1 && same_piece(u_, target);
    for (Index k = 0; k < size(); ++k) alpha_[k] += theta * (best[k] - alpha_[k]);
    if (theta == 1) alpha_ = best;
    combine(alpha_, u_);
    if (done) return;
  }
}

// gram += Σ a_kj a_lj/λ over the j ∈ N with u_j > 0. A vertex of the simplex can have all u_j ≤ 0,
// and then the piece is the one where no j ∈ N counts.
void Bundle::add_positive_part(std::span<const double> u, std::vector<double>& gram) const {
  std::vector<Index> positive;
  for (const WeightRange& range : nonnegative_) {
    for (Index j = range.begin; j < range.end; ++j) {
      if (u[j] > 0) positive.push_back(j);
    }
  }
  const Index k = size();
  std::vector<std::vector<double>> packed(k, std::vector<double>(positive.size()));
  for (Index l = 1; l < k; ++l) {
    for (Index p = 0; p < positive.size(); ++p) packed[l][p] = slopes_[l][positive[p]];
  }
  parallel_for(k, threads_, [&](Index l, int) {
    for (Index m = 1; l > 0 && m < k; ++m) gram[l * k + m] += dot(packed[l], packed[m]) / lambda_;
  });
}

// The θ in [0, 1] that maximises D on the way from u to the target. D' = Δb − λ ⟨[u + θΔu], Δu⟩.
double Bundle::best_step(double offset_change, std::span<const double> u,
                         std::span<const double> target) const {
  std::array<double, 2> free = {0, 0};  // ⟨u, Δu⟩ and ‖Δu‖² over the free weights
  for (const WeightRange& range : free_) {
    for (Index j = range.begin; j < range.end; ++j) {
      const double change = target[j] - u[j];
      free[0] += u[j] * change;
      free[1] += change * change;
    }
  }
  return falling_root(1, [&](double theta) {
    double product = free[0] + theta * free[1];
    double curvature = free[1];
    for (const WeightRange& range : nonnegative_) {
      for (Index j = range.begin; j < range.end; ++j) {
        const double change = target[j] - u[j];
        const double x = u[j] + theta * change;
        if (!(x > 0)) continue;
        product += x * change;
        curvature += change * change;
      }
    }
    return FallingValue{offset_change - lambda_ * product, lambda_ * curvature};
  });
}

bool Bundle::same_piece(std::span<const double> u, std::span<const double> v) const {
  for (const WeightRange& range : nonnegative_) {
    for (Index j = range.begin; j < range.end; ++j) {
      if ((u[j] > 0) != (v[j] > 0)) return false;
    }
  }
  return true;
}

void Bundle::shrink(Index max_idle, Index max_cuts) {
  for (Index k = size(); k-- > 1;) {
    if (idle_[k] > max_idle) erase(k);
  }
  const auto lighter = [this](Index k, Index l) { return alpha_[k] < alpha_[l]; };
  while (num_cuts() > max_cuts) {
    Index lightest = 1;
    for (Index k = 2; k < size(); ++k) {
      if (lighter(k, lightest)) lightest = k;
    }
    if (alpha_[lightest] == 0 || num_cuts() == 1) {
      erase(lightest);
      continue;
    }
    Index second = lightest == 1 ? 2 : 1;
    for (Index k = 1; k < size(); ++k) {
      if (k != lightest && lighter(k, second)) second = k;
    }
    merge(lightest, second);
  }
}

void Bundle::erase(Index k) {
  erase_row_and_column(gram_, size(), k);
  erase_at(slopes_, k);
  erase_at(offsets_, k);
  erase_at(alpha_, k);
  erase_at(idle_, k);
}

// Cut k becomes the combination of k and l by their masses, and l leaves.
void Bundle::merge(Index k, Index l) {
  const double mass = alpha_[k] + alpha_[l];
  const double share = alpha_[l] / mass;
  const Index n = size();
  Blocks(dimension_, threads_).each([&](Block b) {
    scale(1 - share, b.of(slopes_[k]));
    axpy(share, b.of(slopes_[l]), b.of(slopes_[k]));
  });
  offsets_[k] += share * (offsets_[l] - offsets_[k]);
  alpha_[k] = mass;
  for (Index m = 0; m < n; ++m) gram_[k * n + m] += share * (gram_[l * n + m] - gram_[k * n + m]);
  for (Index m = 0; m < n; ++m) gram_[m * n + k] += share * (gram_[m * n + l] - gram_[m * n + k]);
  erase(l);
}

void Bundle::save(Checkpoint& checkpoint) const {
  checkpoint.put("bundle/offsets", offsets_);
  checkpoint.put("bundle/alpha", alpha_);
  checkpoint.put("bundle/gram", gram_);
  checkpoint.put("bundle/minimizer", minimizer_);
  checkpoint.put("bundle/bound", std::span<const double>(&bound_, 1));
  checkpoint.put_integers("bundle/idle", idle_);
  for (Index k = 1; k < size(); ++k) checkpoint.put(fmt::format("bundle/slope{}", k), slopes_[k]);
}

void Bundle::load(const Checkpoint& checkpoint) {
  offsets_ = checkpoint.doubles("bundle/offsets");
  const Index k = offsets_.size();
  if (k == 0) throw InputError("checkpoint", 0, "expected the trivial cut in the bundle");
  alpha_.resize(k);
  gram_.resize(k * k);
  idle_.resize(k);
  checkpoint.get("bundle/alpha", alpha_);
  checkpoint.get("bundle/gram", gram_);
  checkpoint.get("bundle/minimizer", minimizer_);
  checkpoint.get("bundle/bound", std::span<double>(&bound_, 1));
  checkpoint.get_integers("bundle/idle", idle_);
  slopes_.assign(k, {});
  for (Index l = 1; l < k; ++l) {
    slopes_[l].resize(dimension_);
    checkpoint.get(fmt::format("bundle/slope{}", l), slopes_[l]);
  }
}

}  // namespace trellis
