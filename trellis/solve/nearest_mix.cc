#include "trellis/solve/nearest_mix.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace trellis {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// The smallest norm over the convex hull of points p_k = z_k − target.
class MinimumNorm {
 public:
  explicit MinimumNorm(Index dimension) : x_(Vector::Zero(static_cast<Eigen::Index>(dimension))) {}

  const Vector& x() const { return x_; }
  Index size() const { return points_.size(); }

  // Lets p join with weight 0 (or 1 if it is the first). False if it is there already.
  bool join(Vector p) {
    if (std::find(points_.begin(), points_.end(), p) != points_.end()) return false;
    points_.push_back(std::move(p));
    weights_.push_back(points_.size() == 1 ? 1 : 0);
    return true;
  }

  // Wolfe's minor cycle: towards the nearest point of the affine hull, dropping a point whenever
  // its weight would become negative, until that point lies within the convex hull.
  void settle() {
    while (true) {
      const Vector affine = affine_minimum();
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
  // The weights, of sum 1, of the smallest point of the affine hull: (G + 11ᵀ) u = 1, up to scale.
  Vector affine_minimum() const {
    const auto n = static_cast<Eigen::Index>(points_.size());
    Matrix system(n, n);
    for (Eigen::Index r = 0; r < n; ++r) {
      for (Eigen::Index c = 0; c <= r; ++c) {
        system(r, c) = system(c, r) =
            1 + points_[static_cast<Index>(r)].dot(points_[static_cast<Index>(c)]);
      }
    }
    const Vector u = system.completeOrthogonalDecomposition().solve(Vector::Ones(n));
    return u / u.sum();
  }

  void drop(Index k) {
    points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(k));
    weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(k));
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

  std::vector<Vector> points_;
  std::vector<double> weights_;
  Vector x_;
};

}  // namespace

NearestMix nearest_mix(std::span<const double> target, const BestVertex& best_vertex,
                       Index max_vertices) {
  // A vertex must come nearer by more than this part of the numbers that were subtracted.
  constexpr double kPrecision = 1e-14;
  const auto n = static_cast<Eigen::Index>(target.size());
  const Eigen::Map<const Vector> goal(target.data(), n);
  MinimumNorm hull(target.size());
  std::vector<double> direction(target.begin(), target.end());
  Vector vertex(n);
  for (Index asked = 0; asked < max_vertices; ++asked) {
    best_vertex(direction, std::span(vertex.data(), target.size()));
    Vector p = vertex - goal;
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
