#include "trellis/solve/polytopes/nearest_mix.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace trellis {
namespace {

using Point = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// The smallest norm over the convex hull of points p_k = z_k − target.
class MinimumNorm {
 public:
  explicit MinimumNorm(Index dimension) : x_(Point::Zero(static_cast<Eigen::Index>(dimension))) {}

  const Point& x() const { return x_; }
  Index size() const { return points_.size(); }

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
  Point affine_minimum() const {
    const Point ones = Point::Ones(system_.rows());
    Point u = system_.ldlt().solve(ones);
    if (!((system_ * u - ones).norm() <= kResidual * ones.norm())) {
      u = system_.completeOrthogonalDecomposition().solve(ones);
    }
    return u / u.sum();
  }

  void drop(Index k) {
    const auto at = static_cast<Eigen::Index>(k);
    const Eigen::Index last = system_.rows() - 1;
    points_.erase(points_.begin() + at);
    weights_.erase(weights_.begin() + at);
    for (Eigen::Index r = at; r < last; ++r) system_.row(r) = system_.row(r + 1).eval();
    for (Eigen::Index c = at; c < last; ++c) system_.col(c) = system_.col(c + 1).eval();
    system_.conservativeResize(last, last);
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

  std::vector<Point> points_;
  std::vector<double> weights_;
  Matrix system_;  // G + 11ᵀ
  Point x_;
};

}  // namespace

NearestMix nearest_mix(std::span<const double> target, const BestVertex& best_vertex,
                       Index max_vertices) {
  // A vertex must come nearer by more than this part of the numbers that were subtracted.
  constexpr double kPrecision = 1e-14;
  const auto n = static_cast<Eigen::Index>(target.size());
  const Eigen::Map<const Point> goal(target.data(), n);
  MinimumNorm hull(target.size());
  std::vector<double> direction(target.begin(), target.end());
  Point vertex(n);
  for (Index asked = 0; asked < max_vertices; ++asked) {
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
  }
  NearestMix mix;
  mix.point.resize(target.size());
  for (Eigen::Index j = 0; j < n; ++j) mix.point[static_cast<Index>(j)] = goal[j] + hull.x()[j];
  mix.distance = hull.x().norm();
  mix.num_vertices = hull.size();
  return mix;
}

}  // namespace trellis
