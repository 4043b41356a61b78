#include "trellis/solve/hildreth.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace trellis {
namespace {

// Row k (after the k given ones) is the zero row; its mass is the unused cap.
class RowActions {
 public:
  RowActions(std::span<const double> gram, std::span<const double> residuals, double cap,
             std::span<double> alpha)
      : gram_(gram),
        alpha_(alpha),
        zero_row_(residuals.size()),
        gradient_(residuals.begin(), residuals.end()),
        unused_(cap) {
    std::fill(alpha.begin(), alpha.end(), 0.0);
    gradient_.push_back(0);
  }

  // Finds the pair that violates optimality most: mass should move from `giver` to `taker`.
  double choose_pair() {
    taker_ = giver_ = zero_row_;
    double highest = 0;
    double lowest = unused_ > 0 ? 0 : std::numeric_limits<double>::infinity();
    for (Index j = 0; j < zero_row_; ++j) {
      if (gradient_[j] > highest) highest = gradient_[taker_ = j];
      if (alpha_[j] > 0 && gradient_[j] < lowest) lowest = gradient_[giver_ = j];
    }
    return std::max(0.0, highest - lowest);
  }

  // The best move of mass between the pair; false if that is no move at all.
  bool move() {
    const double slope = gradient_[taker_] - gradient_[giver_];
    const double curvature =
        product(taker_, taker_) + product(giver_, giver_) - 2 * product(taker_, giver_);
    const double available = mass(giver_);
    const double best = curvature > 0 ? slope / curvature : available;
    const double moved = std::min(best, available);
    if (!(moved > 0) || !std::isfinite(moved)) return false;
    const bool emptied = moved == available;
    mass(taker_) += moved;
    mass(giver_) = emptied ? 0 : mass(giver_) - moved;
    for (Index j = 0; j < zero_row_; ++j) {
      gradient_[j] -= moved * (product(j, taker_) - product(j, giver_));
    }
    return true;
  }

 private:
  double product(Index i, Index j) const {
    return i == zero_row_ || j == zero_row_ ? 0 : gram_[i * zero_row_ + j];
  }
  double& mass(Index row) { return row == zero_row_ ? unused_ : alpha_[row]; }

  std::span<const double> gram_;
  std::span<double> alpha_;
  Index zero_row_;
  std::vector<double> gradient_;  // r − Gα
  double unused_;
  Index taker_ = 0;
  Index giver_ = 0;
};

}  // namespace

double hildreth(std::span<const double> gram, std::span<const double> residuals, double cap,
                std::span<double> alpha, const HildrethOptions& options) {
  assert(gram.size() == residuals.size() * residuals.size() && alpha.size() == residuals.size());
  assert(cap >= 0);
  double largest = 0;
  for (const double r : residuals) largest = std::max(largest, std::abs(r));
  RowActions rows(gram, residuals, cap, alpha);
  double violation = rows.choose_pair();
  for (Index k = 0; k < options.max_row_actions && violation > options.tolerance * largest; ++k) {
    if (!rows.move()) break;
    violation = rows.choose_pair();
  }
  return violation;
}

}  // namespace trellis
