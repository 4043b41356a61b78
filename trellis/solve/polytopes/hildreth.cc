#include "trellis/solve/polytopes/hildreth.h"

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

  // Finds how far the optimality conditions are violated, and the pair to act on: mass moves to the
  // row with the highest gradient from the one that lets the objective rise most.
  double choose_pair() {
    taker_ = zero_row_;
    for (Index j = 0; j < zero_row_; ++j) {
      if (gradient_[j] > gradient_[taker_]) taker_ = j;
    }
    giver_ = taker_;
    double lowest = gradient_[taker_];
    double highest_rise = 0;
    for (Index j = 0; j <= zero_row_; ++j) {
      const double slope = gradient_[taker_] - gradient_[j];
      if (!(mass(j) > 0) || !(slope > 0)) continue;
      lowest = std::min(lowest, gradient_[j]);
      const double rise = slope * slope / std::max(curvature(j), kTiny);
      if (rise > highest_rise) {
        highest_rise = rise;
        giver_ = j;
      }
    }
    return gradient_[taker_] - lowest;
  }

  // The best move of mass between the pair; false if that is no move at all.
  bool move() {
    const double slope = gradient_[taker_] - gradient_[giver_];
    const double bend = curvature(giver_);
    const double available = mass(giver_);
    const double best = bend > 0 ? slope / bend : available;
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
  static constexpr double kTiny = 1e-300;

  // Of the objective along a move from `giver` to the taker: ‖a_taker − a_giver‖².
  double curvature(Index giver) const {
    return product(taker_, taker_) + product(giver, giver) - 2 * product(taker_, giver);
  }
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
                std::span<double> alpha) {
  constexpr double kViolation = 1e-10;  // of the largest |r|
  constexpr Index kMaxRowActions = 10000;
  assert(gram.size() == residuals.size() * residuals.size() && alpha.size() == residuals.size());
  assert(cap >= 0);
  double largest = 0;
  for (const double r : residuals) largest = std::max(largest, std::abs(r));
  RowActions rows(gram, residuals, cap, alpha);
  double violation = rows.choose_pair();
  for (Index k = 0; k < kMaxRowActions && violation > kViolation * largest; ++k) {
    if (!rows.move()) break;
    violation = rows.choose_pair();
  }
  return violation;
}

}  // namespace trellis
