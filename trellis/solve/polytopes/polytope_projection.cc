#include "trellis/solve/polytopes/polytope_projection.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "trellis/solve/polytopes/normal_equations.h"
#include "trellis/solve/polytopes/polytope_interior.h"
#include "trellis/solve/polytopes/polytope_rows.h"

namespace trellis {
namespace {

using Vector = std::vector<double>;

// What rounding leaves of a residual of size 1, if all goes well.
constexpr double kFloor = 1e-13;
// μ relative to the residual, and its least value. A D Aᵀ may be singular, and then the rounding of
// ∇F is divided by μ; elsewhere its eigenvalues are far larger.
constexpr double kRegularization = 1e-4;
constexpr double kLeastRegularization = 1e-8;
// How close the interior-point method goes: its products and residuals.
constexpr double kInteriorPrecision = 1e-8;
constexpr Index kMaxNewtonSteps = 200;
// Newton's method is given up for the interior-point method where it does not halve the residual in
// one step, or, below kNear, where its own convergence may have begun, in kWindow steps.
constexpr double kNear = 0.2;
constexpr Index kWindow = 5;

double largest_magnitude(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

// φ'(t) = slope + rise·t between two kinks, for φ(t) = F(λ + t d).
struct Piece {
  double slope = 0;
  double rise = 0;
};

// What is added to the piece from t on.
struct Kink {
  double t;
  Piece change;
};

}  // namespace

class PolytopeProjection::Solver {
 public:
  explicit Solver(const LinearProgram& program)
      : rows_(program), equations_(rows_), interior_(rows_, equations_) {}

  ProjectionResult project(std::span<const double> v, std::span<double> z);

 private:
  // Whether to give up where Newton's steps stay short.
  enum class Patience { kShort, kLong };

  void resize();
  void run(ProjectionResult& result);
  bool descend(Patience patience, ProjectionResult& result);
  double evaluate();
  void find_direction(double residual);
  void transpose_direction();
  double next_stop(Index& row) const;
  bool search();
  void add_ramp(double x, double c, double sign, Piece& piece);
  double minimum_along(double end);

  PolytopeRows rows_;
  NormalEquations equations_;
  InteriorPoint interior_;

  Vector v_, x_, z_, c_, weights_;  // by column: v, v − Aᵀλ, z(λ), Aᵀd, D
  Vector lambda_, best_lambda_, gradient_, right_, d_, mu_;  // by row
  std::vector<std::uint8_t> held_;  // by row: inequalities whose λ = 0 stays
  std::vector<Kink> kinks_;
  double size_ = 1;  // max(1, ‖v‖∞)
};

void PolytopeProjection::Solver::resize() {
  for (Vector* vector : {&v_, &x_, &z_, &c_, &weights_}) vector->resize(rows_.num_columns());
  for (Vector* vector : {&right_, &d_, &mu_, &gradient_}) vector->resize(rows_.num_rows());
  lambda_.assign(rows_.num_rows(), 0.0);
  held_.resize(rows_.num_rows());
}

// Computes x, z(λ), ∇F and the fixed rows at λ; returns the largest violation of optimality.
double PolytopeProjection::Solver::evaluate() {
  rows_.right_sides(gradient_);
  for (Index p = 0; p < rows_.num_columns(); ++p) {
    double x = v_[p];
    for (const PolytopeRows::Term& a : rows_.column(p)) x -= a.value * lambda_[a.row];
    x_[p] = x;
    z_[p] = std::min(rows_.bound(p), std::max(0.0, x));
    if (z_[p] == 0) continue;
    for (const PolytopeRows::Term& a : rows_.column(p)) gradient_[a.row] -= a.value * z_[p];
  }
  double residual = 0;
  for (Index i = 0; i < rows_.num_rows(); ++i) {
    held_[i] = rows_.is_inequality(i) && lambda_[i] == 0 && gradient_[i] >= 0 ? 1 : 0;
    if (held_[i] == 0) residual = std::max(residual, std::abs(gradient_[i]));
  }
  return residual;
}

// d = −(A D Aᵀ + μI)⁻¹ ∇F
void PolytopeProjection::Solver::find_direction(double residual) {
  for (Index p = 0; p < x_.size(); ++p) {
    weights_[p] = x_[p] > 0 && x_[p] < rows_.bound(p) ? 1.0 : 0.0;
  }
  const double mu = kRegularization * std::min(1.0, residual) + kLeastRegularization;
  std::fill(mu_.begin(), mu_.end(), mu);
  equations_.factorize(weights_, mu_, held_);
  for (Index i = 0; i < right_.size(); ++i) right_[i] = held_[i] != 0 ? 0.0 : -gradient_[i];
  equations_.solve(right_, d_);
}

// c = Aᵀd
void PolytopeProjection::Solver::transpose_direction() {
  for (Index p = 0; p < c_.size(); ++p) {
    c_[p] = 0;
    for (const PolytopeRows::Term& a : rows_.column(p)) c_[p] += a.value * d_[a.row];
  }
}

// The part −c·sign·max(0, x − tc) of φ': there until t = x/c where c > 0, from there on where c <
// 0.
void PolytopeProjection::Solver::add_ramp(double x, double c, double sign, Piece& piece) {
  const Piece ramp{-sign * c * x, sign * c * c};
  if (x > 0) {
    piece.slope += ramp.slope;
    piece.rise += ramp.rise;
    if (c > 0) kinks_.push_back({x / c, {-ramp.slope, -ramp.rise}});
  } else if (c < 0) {
    kinks_.push_back({x / c, ramp});
  }
}

// The root of φ' in [0, end], or `end` where φ' stays negative. min(u, max(0, x)) is the difference
// of the ramps at x and at x − u.
double PolytopeProjection::Solver::minimum_along(double end) {
  Piece piece;
  for (Index i = 0; i < d_.size(); ++i) piece.slope += rows_.right_side(i) * d_[i];
  kinks_.clear();
  for (Index p = 0; p < c_.size(); ++p) {
    if (c_[p] == 0) continue;
    add_ramp(x_[p], c_[p], 1, piece);
    if (rows_.bound(p) < kInfinity) add_ramp(x_[p] - rows_.bound(p), c_[p], -1, piece);
  }
  if (!(piece.slope < 0)) return 0;
  const double first_slope = piece.slope;  // φ'(0) = ⟨∇F, d⟩
  std::sort(kinks_.begin(), kinks_.end(), [](const Kink& a, const Kink& b) { return a.t < b.t; });
  double begin = 0;
  for (const Kink& kink : kinks_) {
    const double stop = std::min(kink.t, end);
    if (piece.slope + piece.rise * stop >= 0) {
      return piece.rise > 0 ? std::clamp(-piece.slope / piece.rise, begin, stop) : begin;
    }
    if (stop == end) return end;
    begin = stop;
    piece.slope += kink.change.slope;
    piece.rise += kink.change.rise;
  }
  // Behind the last kink only variables without an upper bound still rise.
  if (piece.rise > 1e-14 * std::abs(first_slope)) {
    return std::min(end, std::max(begin, -piece.slope / piece.rise));
  }
  // If φ' ≤ slope < 0 along the whole ray, dᵀ(b − A z) ≤ slope for all z within their bounds, so
  // that some row is violated by at least |slope| / ‖d‖₁. Rounding errors of redundant rows violate
  // less than the tolerance and do not count.
  double norm = 0;
  for (const double d : d_) norm += std::abs(d);
  return -piece.slope > kTolerance * size_ * norm ? end : std::min(end, std::max(begin, 1.0));
}

// The first inequality's multiplier that falls to 0 along d, and where.
double PolytopeProjection::Solver::next_stop(Index& row) const {
  double stop = kInfinity;
  for (Index i = 0; i < d_.size(); ++i) {
    if (!rows_.is_inequality(i) || !(d_[i] < 0)) continue;
    const double t = lambda_[i] / -d_[i];
    if (t < stop) stop = t, row = i;
  }
  return stop;
}

// Moves λ to the first minimum of F along d, which loses the components of multipliers that have
// fallen to 0 (their share of ⟨∇F, d⟩ was not what made F fall: Bertsekas 1982, Prop. 1). False
// where F falls without end: then no z satisfies the rows.
bool PolytopeProjection::Solver::search() {
  for (;;) {
    transpose_direction();
    Index row = 0;
    const double stop = next_stop(row);
    const double t = minimum_along(stop);
    if (t == kInfinity) return false;
    for (Index i = 0; i < d_.size(); ++i) {
      lambda_[i] += t * d_[i];
      if (rows_.is_inequality(i)) lambda_[i] = std::max(0.0, lambda_[i]);
    }
    if (t < stop) return true;
    for (Index p = 0; p < x_.size(); ++p) x_[p] -= t * c_[p];
    lambda_[row] = d_[row] = 0;
  }
}

// Newton's steps from λ, which becomes the best multipliers on the way. False where the polytope is
// empty.
bool PolytopeProjection::Solver::descend(Patience patience, ProjectionResult& result) {
  result.residual = kInfinity;
  std::array<double, kWindow> before;  // the last residuals
  before.fill(kInfinity);
  for (Index step = 0;; ++step) {
    const double residual = evaluate();
    const double last = before[(step + kWindow - 1) % kWindow];
    const double halved_since = residual <= kNear ? before[step % kWindow] : last;
    before[step % kWindow] = residual;
    const bool stuck = residual > 0.5 * (patience == Patience::kShort ? halved_since : last);
    const bool done = result.residual <= kTolerance * size_;
    if (residual < result.residual) {
      result.residual = residual;
      best_lambda_ = lambda_;
    }
    if (residual <= kFloor * size_ || residual == last || step == kMaxNewtonSteps) break;
    if (stuck && (patience == Patience::kShort || done)) break;
    find_direction(residual);
    ++result.factorizations;
    if (!search()) return false;
  }
  lambda_ = best_lambda_;
  return true;
}

void PolytopeProjection::Solver::run(ProjectionResult& result) {
  bool possible = descend(Patience::kShort, result);
  if (possible && result.residual > kTolerance * size_) {
    result.factorizations += interior_.approach(v_, kInteriorPrecision, lambda_);
    possible = descend(Patience::kLong, result);
  }
  evaluate();
  result.residual /= size_;
  result.status = !possible                       ? ProjectionStatus::kEmpty
                  : result.residual <= kTolerance ? ProjectionStatus::kOptimal
                                                  : ProjectionStatus::kNotConverged;
}

ProjectionResult PolytopeProjection::Solver::project(std::span<const double> v,
                                                     std::span<double> z) {
  assert(v.size() == rows_.num_variables() && z.size() == v.size());
  ProjectionResult result;
  result.status = ProjectionStatus::kEmpty;
  if (!rows_.empty()) {
    resize();
    for (Index p = 0; p < v_.size(); ++p) v_[p] = v[rows_.variable(p)];
    size_ = std::max(1.0, largest_magnitude(v_));
    run(result);
  }
  std::fill(z.begin(), z.end(), 0.0);
  if (result.status == ProjectionStatus::kEmpty) return result;
  for (Index p = 0; p < z_.size(); ++p) z[rows_.variable(p)] = z_[p];
  return result;
}

PolytopeProjection::PolytopeProjection(const LinearProgram& program)
    : solver_(std::make_unique<Solver>(program)) {}
PolytopeProjection::~PolytopeProjection() = default;
PolytopeProjection::PolytopeProjection(PolytopeProjection&&) noexcept = default;
PolytopeProjection& PolytopeProjection::operator=(PolytopeProjection&&) noexcept = default;

ProjectionResult PolytopeProjection::project(std::span<const double> v, std::span<double> z) {
  return solver_->project(v, z);
}

PolytopeProjection& ProjectionCache::find(std::span<const std::uint32_t> key,
                                          const std::function<LinearProgram()>& program) {
  for (Entry& entry : entries_) {
    if (std::equal(key.begin(), key.end(), entry.key.begin(), entry.key.end())) {
      return entry.projection;
    }
  }
  Entry fresh{{key.begin(), key.end()}, PolytopeProjection(program())};
  if (entries_.size() < kCapacity) {
    entries_.push_back(std::move(fresh));
    return entries_.back().projection;
  }
  Entry& replaced = entries_[oldest_];
  oldest_ = (oldest_ + 1) % kCapacity;
  replaced = std::move(fresh);
  return replaced.projection;
}

}  // namespace trellis
