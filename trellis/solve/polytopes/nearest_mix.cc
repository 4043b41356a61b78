#include "trellis/solve/polytopes/nearest_mix.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace trellis {
namespace {

using Point = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// The smallest norm over the convex hull of points p_k = z_k − target. The Cholesky factor of the
// system of the affine hull is updated as points come and go, in O(k²) for k points.
class MinimumNorm {
 public:
  explicit MinimumNorm(Index dimension) : x_(Point::Zero(static_cast<Eigen::Index>(dimension))) {}

  const Point& x() const { return x_; }
  Index size() const { return points_.size(); }
  double work() const { return work_; }  // multiplications so far, about

  // Lets p join with weight 0 (or 1 if it is the first). False if it is there already.
  bool join(Point p) {
    if (std::find(points_.begin(), points_.end(), p) != points_.end()) return false;
    const auto n = static_cast<Eigen::Index>(points_.size());
    points_.push_back(std::move(p));
    weights_.push_back(n == 0 ? 1 : 0);
    system_.conservativeResize(n + 1, n + 1);
    for (Eigen::Index k = 0; k <= n; ++k) {
      system_(n, k) = system_(k, n) = 1 + points_[static_cast<Index>(k)].dot(points_.back());
    }
    extend_factor();
    return true;
  }

  // Wolfe's minor cycle: towards the nearest point of the affine hull, dropping a point whenever
  // its weight would become negative, until that point lies within the convex hull.
  void settle() {
    while (true) {
      const Point affine = affine_minimum();
      double step = 1;
      Index first_to_go = points_.size();
      for (Index k = 0; k < points_.size(); ++k) {
        const double goal = affine[static_cast<Eigen::Index>(k)];
        if (goal > kTiny) continue;
        const double reach = weights_[k] / (weights_[k] - goal + kSmallest);
        if (reach < step || first_to_go == points_.size()) {
          step = std::min(step, reach);
          first_to_go = k;
        }
      }
      for (Index k = 0; k < points_.size(); ++k) {
        weights_[k] += step * (affine[static_cast<Eigen::Index>(k)] - weights_[k]);
      }
      if (first_to_go == points_.size()) break;
      drop(first_to_go);
    }
    normalize();
  }

 private:
  // The weights, of sum 1, of the smallest point of the affine hull: (G + 11ᵀ) u = 1, up to scale,
  // with G_kl = ⟨p_k, p_l⟩. The system is positive definite while the points are affinely
  // independent; where they are so no longer in the arithmetic of a double, its least-norm solution
  // will do.
  Point affine_minimum() {
    const Point ones = Point::Ones(system_.rows());
    const auto k = static_cast<double>(system_.rows());
    if (factored_) {
      Point u = factor_.triangularView<Eigen::Lower>().solve(ones);
      u = factor_.transpose().triangularView<Eigen::Upper>().solve(u);
      work_ += 2 * k * k;
      if ((system_ * u - ones).norm() <= kResidual * ones.norm()) return u / u.sum();
    }
    const Point u = system_.completeOrthogonalDecomposition().solve(ones);
    work_ += 2 * k * k * k;
    return u / u.sum();
  }

  // The last row of the factor, from that of the system.
  void extend_factor() {
    const Eigen::Index n = system_.rows() - 1;
    if (!factored_) return;
    const Point row = factor_.triangularView<Eigen::Lower>().solve(system_.col(n).head(n));
    const double square = system_(n, n) - row.squaredNorm();
    work_ += static_cast<double>(n) * static_cast<double>(n) / 2;
    factored_ = square > kDependent * system_(n, n);
    if (!factored_) return;
    factor_.conservativeResize(n + 1, n + 1);
    factor_.col(n).setZero();
    factor_.row(n).head(n) = row.transpose();
    factor_(n, n) = std::sqrt(square);
  }

  // The factor without row k: the rows below reach one column beyond the diagonal, and are rotated
  // back.
  void shrink_factor(Eigen::Index k) {
    const Eigen::Index last = factor_.rows() - 1;
    for (Eigen::Index r = k; r < last; ++r) factor_.row(r) = factor_.row(r + 1).eval();
    for (Eigen::Index c = k; c < last; ++c) {
      const double a = factor_(c, c), b = factor_(c, c + 1), length = std::sqrt(a * a + b * b);
      const Point left = factor_.col(c).segment(c, last - c);
      const Point right = factor_.col(c + 1).segment(c, last - c);
      factor_.col(c).segment(c, last - c) = (a / length) * left + (b / length) * right;
      factor_.col(c + 1).segment(c, last - c) = (a / length) * right - (b / length) * left;
    }
    factor_.conservativeResize(last, last);
    work_ += 2 * static_cast<double>(last - k) * static_cast<double>(last - k);
  }

  // From the system itself, where points that depended on each other are gone.
  void renew_factor() {
    const Eigen::LLT<Matrix> cholesky(system_);
    const auto k = static_cast<double>(system_.rows());
    work_ += k * k * k / 3;
    factored_ = cholesky.info() == Eigen::Success;
    if (factored_) factor_ = cholesky.matrixL();
  }

  void drop(Index k) {
    const auto at = static_cast<Eigen::Index>(k);
    const Eigen::Index last = system_.rows() - 1;
    points_.erase(points_.begin() + at);
    weights_.erase(weights_.begin() + at);
    for (Eigen::Index r = at; r < last; ++r) system_.row(r) = system_.row(r + 1).eval();
    for (Eigen::Index c = at; c < last; ++c) system_.col(c) = system_.col(c + 1).eval();
    system_.conservativeResize(last, last);
    if (factored_) {
      shrink_factor(at);
    } else {
      renew_factor();
    }
  }

  void normalize() {
    double sum = 0;
    for (double& weight : weights_) sum += weight = std::max(0.0, weight);
    x_.setZero();
    for (Index k = 0; k < points_.size(); ++k) {
      weights_[k] /= sum;
      x_ += weights_[k] * points_[k];
    }
  }

  static constexpr double kTiny = 1e-15;
  static constexpr double kSmallest = 1e-300;  // against 0/0
  static constexpr double kResidual = 1e-11;
  static constexpr double kDependent = 1e-14;  // on others, by the square of the distance

  std::vector<Point> points_;
  std::vector<double> weights_;
  Matrix system_;  // G + 11ᵀ
  Matrix factor_;  // its Cholesky factor, unless it is singular in the arithmetic of a double
  bool factored_ = true;
  double work_ = 0;
  Point x_;
};

}  // namespace

NearestMix nearest_mix(std::span<const double> target, const BestVertex& best_vertex,
                       double max_work) {
  constexpr Index kMostVertices = 2000;
  // A vertex must come nearer by more than this part of the numbers that were subtracted.
  constexpr double kPrecision = 1e-14;
  const auto n = static_cast<Eigen::Index>(target.size());
  const Eigen::Map<const Point> goal(target.data(), n);
  MinimumNorm hull(target.size());
  std::vector<double> direction(target.begin(), target.end());
  Point vertex(n);
  bool limited = true;
  for (Index asked = 0; asked < kMostVertices && hull.work() <= max_work; ++asked) {
    limited = false;
    best_vertex(direction, std::span(vertex.data(), target.size()));
    Point p = vertex - goal;
    const double square = hull.x().squaredNorm();
    const double scale = std::sqrt(square) * (goal.norm() + p.norm());
    if (hull.size() > 0 && (std::sqrt(square) <= kPrecision * goal.norm() ||
                            !(square - hull.x().dot(p) > kPrecision * scale))) {
      break;
    }
    if (!hull.join(std::move(p))) break;
    hull.settle();
    if (asked > 0 && !(hull.x().squaredNorm() < square)) break;
    for (Eigen::Index j = 0; j < n; ++j) direction[static_cast<Index>(j)] = -hull.x()[j];
    limited = true;
  }
  NearestMix mix;
  mix.point.resize(target.size());
  for (Eigen::Index j = 0; j < n; ++j) mix.point[static_cast<Index>(j)] = goal[j] + hull.x()[j];
  mix.distance = hull.x().norm();
  mix.num_vertices = hull.size();
  mix.limited = limited;
  return mix;
}

}  // namespace trellis
