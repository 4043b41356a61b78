#include "trellis/problem/kernels/kernel_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/problem/kernels/kernel_gram.h"
#include "trellis/solve/vectors/dense_products.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

namespace {

constexpr Index kPanel = 64;              // columns that are prepared at once
constexpr double kGreedy = 0.5;           // of the largest E_ii, for a pivot to be taken
constexpr double kRoundingFloor = 1e-12;  // relative residual that doubles can tell from 0

}  // namespace

// The decomposition while it grows. Rows are kept in the order in which they become pivots, by
// swapping: those from rank_ on are the ones that still have a residual.
class PivotedCholesky {
 public:
  PivotedCholesky(const Kernel& kernel, std::span<const float> rows, Index width,
                  const KernelMapOptions& options)
      : kernel_(kernel),
        x_(rows, width),
        n_(x_.size()),
        max_rank_(options.max_rank == 0 ? n_ : std::min(options.max_rank, n_)),
        threads_(options.threads),
        order_(n_),
        residual_(n_) {
    std::iota(order_.begin(), order_.end(), Index{0});
    for (Index i = 0; i < n_; ++i) {
      residual_[i] = kernel.of_products(x_.norm(i), x_.norm(i), x_.norm(i));
      if (!std::isfinite(residual_[i])) {
        throw UsageError("the kernel of a feature vector with itself is not a finite number");
      }
    }
    threshold_ = std::max(options.tolerance, kRoundingFloor) * largest_residual();
  }

  void run() {
    while (rank_ < max_rank_ && largest_residual() > threshold_) {
      const Index candidates = choose_candidates();
      reserve(rank_ + candidates);
      fill_panel(candidates);
      rank_ += eliminate(candidates);
    }
  }

  void finish(KernelMap& map, std::span<const float> rows) {
    map.rank_ = rank_;
    map.residual_ = std::max(0.0, largest_residual());
    map.trace_ = 0;
    for (Index i = rank_; i < n_; ++i) map.trace_ += std::max(0.0, residual_[i]);
    map.pivots_.assign(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(rank_));
    map.position_.resize(n_);
    for (Index i = 0; i < n_; ++i) map.position_[order_[i]] = i;
    for (const Index p : map.pivots_) {
      const auto row = rows.subspan(p * x_.width(), x_.width());
      map.pivot_vectors_.insert(map.pivot_vectors_.end(), row.begin(), row.end());
    }
    restride(rank_);
    map.l_ = std::move(l_);
  }

 private:
  double* row(Index i) { return l_.data() + i * stride_; }

  double largest_residual() const { return max_value(std::span(residual_).subspan(rank_)); }

  void swap_rows(Index i, Index j) {
    if (i == j) return;
    x_.swap(i, j);
    std::swap(order_[i], order_[j]);
    std::swap(residual_[i], residual_[j]);
    if (stride_ > 0) std::swap_ranges(row(i), row(i) + stride_, row(j));
  }

  // Brings the rows with the largest residuals to the positions rank_, rank_ + 1, …
  Index choose_candidates() {
    std::vector<Index> rest(n_ - rank_);
    std::iota(rest.begin(), rest.end(), rank_);
    const Index wanted = std::min({kPanel, max_rank_ - rank_, rest.size()});
    const auto middle = rest.begin() + static_cast<std::ptrdiff_t>(wanted);
    std::partial_sort(rest.begin(), middle, rest.end(), [&](Index a, Index b) {
      return std::pair(-residual_[a], order_[a]) < std::pair(-residual_[b], order_[b]);
    });
    Index candidates = 0;
    while (candidates < wanted && residual_[rest[candidates]] > threshold_) ++candidates;
    // A swap moves the row that stood at the front to where the candidate came from.
    for (Index c = 0; c < candidates; ++c) {
      const Index from = rest[c];
      swap_rows(rank_ + c, from);
      std::replace(rest.begin() + static_cast<std::ptrdiff_t>(c) + 1, middle, rank_ + c, from);
    }
    return candidates;
  }

  // Room for `columns` columns; grows by doubling.
  void reserve(Index columns) {
    if (columns <= stride_) return;
    restride(std::min(max_rank_, std::max(columns, 2 * stride_)));
  }

  void restride(Index stride) {
    std::vector<double> moved(n_ * stride);
    const Index kept = std::min(stride, stride_);
    for (Index i = 0; i < n_; ++i) {
      std::copy_n(l_.data() + i * stride_, kept, moved.data() + i * stride);
    }
    l_ = std::move(moved);
    stride_ = stride;
  }

  // Columns rank_ … of E = K − L Lᵀ, on the rows that are left.
  void fill_panel(Index candidates) {
    for (Index i = 0; i < rank_; ++i) std::fill_n(row(i) + rank_, candidates, 0.0);
    const Index blocks = (n_ - rank_ + kGramBlock - 1) / kGramBlock;
    parallel_for(blocks, threads_, [&](Index block, int) {
      const Index begin = rank_ + block * kGramBlock;
      const Index end = std::min(begin + kGramBlock, n_);
      gram_block(kernel_, x_, begin, end, x_, rank_, rank_ + candidates, row(begin) + rank_,
                 stride_);
      add_product_transposed({end - begin, rank_, candidates}, -1, {row(begin), stride_},
                             {row(rank_), stride_}, {row(begin) + rank_, stride_});
    });
  }

  // Turns columns of E into columns of L, best pivot first; returns how many.
  Index eliminate(Index candidates) {
    Index s = 0;
    for (; s < candidates; ++s) {
      const Index p = rank_ + s;
      const auto first = residual_.begin() + static_cast<std::ptrdiff_t>(p);
      const auto best =
          std::max_element(first, first + static_cast<std::ptrdiff_t>(candidates - s));
      const double largest = *std::max_element(first, residual_.end());
      if (*best <= threshold_ || *best < kGreedy * largest) break;
      swap_candidates(p, p + static_cast<Index>(best - first));
      if (!eliminate_column(p)) break;
    }
    return s;
  }

  void swap_candidates(Index p, Index q) {
    if (p == q) return;
    swap_rows(p, q);
    for (Index i = rank_; i < n_; ++i) std::swap(row(i)[p], row(i)[q]);
  }

  // L_ip = (E_ip − Σ_{k of this panel} L_ik L_pk)/√E_pp. False where rounding left no pivot.
  bool eliminate_column(Index p) {
    const std::span<const double> pivot(row(p) + rank_, p - rank_);
    const double square = row(p)[p] - squared_norm(pivot);
    if (!(square > 0)) {
      residual_[p] = 0;
      return false;
    }
    const double root = std::sqrt(square);
    for (Index i = rank_; i < p; ++i) row(i)[p] = 0;
    row(p)[p] = root;
    residual_[p] = 0;
    for (Index i = p + 1; i < n_; ++i) {
      double* const l = row(i);
      l[p] = (l[p] - dot(std::span<const double>(l + rank_, pivot.size()), pivot)) / root;
      residual_[i] -= l[p] * l[p];
    }
    return true;
  }

  Kernel kernel_;
  GramRows x_;
  Index n_;
  Index max_rank_;
  int threads_;
  double threshold_ = 0;
  Index rank_ = 0;
  Index stride_ = 0;
  std::vector<Index> order_;      // the vector that stands at each position
  std::vector<double> residual_;  // E_ii, by position
  std::vector<double> l_;
};

KernelMap::KernelMap(const Kernel& kernel, std::span<const float> rows, Index width,
                     const KernelMapOptions& options)
    : kernel_(kernel), width_(width) {
  kernel.validate();
  if (width == 0 || rows.empty() || rows.size() % width != 0) {
    throw UsageError("a kernel map needs at least one feature vector, all of one width above 0");
  }
  if (!(options.tolerance >= 0)) throw UsageError("the tolerance of a kernel map must be ≥ 0");
  PivotedCholesky decomposition(kernel, rows, width, options);
  decomposition.run();
  decomposition.finish(*this, rows);
}

void KernelMap::map(std::span<const float> x, std::span<double> phi, int threads) const {
  if (x.size() % width_ != 0 || phi.size() != x.size() / width_ * rank_) {
    throw UsageError("the sizes of the vectors to map do not fit the kernel map");
  }
  if (rank_ == 0) return;
  gram_matrix(kernel_, x, pivot_vectors_, width_, phi, threads);
  const Index n = x.size() / width_;
  parallel_for((n + kGramBlock - 1) / kGramBlock, threads, [&](Index block, int) {
    const Index begin = block * kGramBlock;
    const Index size = std::min(kGramBlock, n - begin);
    // Φ L_Pᵀ = K_P for the rows of this block.
    solve_rows({l_.data(), rank_}, rank_, {phi.data() + begin * rank_, rank_}, size);
  });
}

void KernelMap::to_coefficients(std::span<double> w, Index columns) const {
  if (w.size() != rank_ * columns) {
    throw UsageError("the weights do not fit the rank of the kernel map");
  }
  if (w.empty()) return;
  solve_columns({l_.data(), rank_}, rank_, {w.data(), columns}, columns);
}

}  // namespace trellis
