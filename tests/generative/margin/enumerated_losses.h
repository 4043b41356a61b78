// Small problems (P) whose constraints are listed, and a solver that knows nothing about them but
// that: the log-barrier method with dense Newton steps (Boyd & Vandenberghe 2004, sec. 11.3).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/generative/distributions.h"
#include "trellis/generative/margin/divergence.h"
#include "trellis/generative/margin/margin_risk.h"
#include "trellis/oracle/oracle.h"

namespace trellis::testing {

// L_k(θ) = max(0, max_s a_k(s)'θ + b_k(s))
class EnumeratedLosses final : public ConvexOracle {
 public:
  struct Piece {
    std::vector<double> a;
    double b;
  };

  EnumeratedLosses(Index dimension, std::vector<std::vector<Piece>> pieces)
      : dimension_(dimension), pieces_(std::move(pieces)) {}

  const std::vector<std::vector<Piece>>& pieces() const { return pieces_; }
  Index num_examples() const override { return pieces_.size(); }
  Index dimension() const override { return dimension_; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }

  double evaluate(Index k, std::span<const double> theta, Scratch&, Cut& cut) const override {
    double best = 0;
    const Piece* chosen = nullptr;
    for (const Piece& piece : pieces_[k]) {
      const double value = at(piece, theta);
      if (value > best) {
        best = value;
        chosen = &piece;
      }
    }
    cut.slope.clear();
    cut.offset = 0;
    if (chosen != nullptr) {
      std::copy(chosen->a.begin(), chosen->a.end(), cut.slope.append(0, dimension_).begin());
      cut.offset = chosen->b;
    }
    return best;
  }

  double accumulate(Index k, std::span<const double> theta, Scratch& scratch,
                    std::span<double> gradient) const override {
    Cut cut;
    const double value = evaluate(k, theta, scratch, cut);
    cut.slope.add_to(gradient, 1);
    return value;
  }

  static double at(const Piece& piece, std::span<const double> theta) {
    double value = piece.b;
    for (Index j = 0; j < theta.size(); ++j) value += piece.a[j] * theta[j];
    return value;
  }

 private:
  Index dimension_;
  std::vector<std::vector<Piece>> pieces_;
};

struct SmallProblem {
  Distributions distributions;
  std::vector<double> c;      // positive distributions
  std::vector<double> start;  // uniform
  std::unique_ptr<EnumeratedLosses> losses;
};

// Pieces are differences of counts, as those of two assignments of hidden variables are.
inline SmallProblem random_problem(std::uint64_t seed, Index num_examples = 6) {
  Random random(seed);
  SmallProblem problem;
  const Index num = 1 + random.below(4);
  for (Index i = 0; i < num; ++i) {
    const Index size = 2 + random.below(3);
    problem.distributions.add(size);
    double sum = 0;
    std::vector<double> weights(size);
    for (double& weight : weights) sum += weight = 0.1 + random.uniform();
    for (const double weight : weights) {
      problem.c.push_back(weight / sum);
      problem.start.push_back(-std::log(static_cast<double>(size)));
    }
  }
  const Index dimension = problem.c.size();
  std::vector<std::vector<EnumeratedLosses::Piece>> pieces(num_examples);
  for (auto& of_example : pieces) {
    of_example.resize(1 + random.below(5));
    for (auto& piece : of_example) {
      piece.a.assign(dimension, 0.0);
      for (Index change = 0; change < 1 + random.below(4); ++change) {
        const Index i = random.below(num);
        const Index begin = problem.distributions.begin(i), size = problem.distributions.size(i);
        piece.a[begin + random.below(size)] += 1;
        piece.a[begin + random.below(size)] -= 1;
      }
      piece.b = static_cast<double>(1 + random.below(3));
    }
  }
  problem.losses = std::make_unique<EnumeratedLosses>(dimension, std::move(pieces));
  return problem;
}

struct MarginSetting {
  double eta = 1;
  Divergence divergence = Divergence::kForward;
  Penalty penalty = Penalty::kLinear;
};

// P(θ), spelled out.
inline double margin_objective(const SmallProblem& problem, const MarginSetting& setting,
                               std::span<const double> theta) {
  double value = 0;
  for (Index j = 0; j < theta.size(); ++j) {
    value += divergence_at(setting.divergence, problem.c[j], std::log(problem.c[j]), theta[j],
                           std::exp(theta[j]))
                 .value;
  }
  for (const auto& pieces : problem.losses->pieces()) {
    double loss = 0;
    for (const auto& piece : pieces) loss = std::max(loss, EnumeratedLosses::at(piece, theta));
    value += setting.eta * (setting.penalty == Penalty::kLinear ? loss : loss * loss / 2);
  }
  return value;
}

// The barrier method on variables (θ, ε).
class BarrierSolver {
 public:
  BarrierSolver(const SmallProblem& problem, const MarginSetting& setting)
      : problem_(problem),
        setting_(setting),
        d_(problem.c.size()),
        n_(d_ + problem.losses->num_examples()) {}

  // The minimum of (P) to about `precision`.
  std::vector<double> solve(double precision = 1e-9) {
    Eigen::VectorXd x(static_cast<Eigen::Index>(n_));
    for (Index j = 0; j < d_; ++j) at(x, j) = problem_.start[j] - 0.1;
    for (Index k = d_; k < n_; ++k) at(x, k) = 1e3;
    Index constraints = problem_.distributions.num();
    for (const auto& pieces : problem_.losses->pieces()) constraints += pieces.size() + 1;
    for (double t = 1; static_cast<double>(constraints) / t > precision; t *= 8) centre(t, x);
    return {x.data(), x.data() + d_};
  }

 private:
  static double& at(Eigen::VectorXd& x, Index j) { return x[static_cast<Eigen::Index>(j)]; }
  static double at(const Eigen::VectorXd& x, Index j) { return x[static_cast<Eigen::Index>(j)]; }

  void centre(double t, Eigen::VectorXd& x) const {
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    for (int step = 0; step < 200; ++step) {
      const double value = barrier(t, x, &gradient, &hessian);
      hessian.diagonal().array() += 1e-12 * hessian.diagonal().array().abs() + 1e-14;
      const Eigen::VectorXd direction = -hessian.ldlt().solve(gradient);
      const double decrement = -gradient.dot(direction);
      if (decrement < 1e-10) return;
      double length = 1;
      while (length > 1e-14) {
        const Eigen::VectorXd next = x + length * direction;
        if (barrier(t, next, nullptr, nullptr) <= value - 0.1 * length * decrement) break;
        length /= 2;
      }
      if (length <= 1e-14) return;
      x += length * direction;
    }
  }

  double barrier(double t, const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                 Eigen::MatrixXd* hessian) const {
    const auto n = static_cast<Eigen::Index>(n_);
    if (gradient != nullptr) {
      gradient->setZero(n);
      hessian->setZero(n, n);
    }
    double value = 0;
    bool inside = true;
    const auto smooth = [&](Index j, double v, double slope, double curvature) {
      value += t * v;
      if (gradient == nullptr) return;
      at(*gradient, j) += t * slope;
      hessian->diagonal()[static_cast<Eigen::Index>(j)] += t * curvature;
    };
    // −ln(slack), for a slack with this gradient
    const auto wall = [&](double slack, const Eigen::VectorXd& slope) {
      if (!(slack > 0)) {
        inside = false;
        return;
      }
      value -= std::log(slack);
      if (gradient == nullptr) return;
      *gradient -= slope / slack;
      *hessian += slope * slope.transpose() / (slack * slack);
    };
    for (Index j = 0; j < d_; ++j) {
      const double theta = at(x, j);
      const DivergenceAt f = divergence_at(setting_.divergence, problem_.c[j],
                                           std::log(problem_.c[j]), theta, std::exp(theta));
      smooth(j, f.value, f.slope, f.curvature);
    }
    const auto& all = problem_.losses->pieces();
    for (Index k = 0; k < all.size(); ++k) {
      const double epsilon = at(x, d_ + k);
      if (setting_.penalty == Penalty::kLinear) {
        smooth(d_ + k, setting_.eta * epsilon, setting_.eta, 0);
      } else {
        smooth(d_ + k, setting_.eta * epsilon * epsilon / 2, setting_.eta * epsilon, setting_.eta);
      }
      Eigen::VectorXd slope = Eigen::VectorXd::Zero(n);
      at(slope, d_ + k) = 1;
      wall(epsilon, slope);
      for (const auto& piece : all[k]) {
        double slack = epsilon - piece.b;
        for (Index j = 0; j < d_; ++j) {
          slack -= piece.a[j] * at(x, j);
          at(slope, j) = -piece.a[j];
        }
        wall(slack, slope);
      }
    }
    const Distributions& distributions = problem_.distributions;
    for (Index i = 0; i < distributions.num(); ++i) {
      Eigen::VectorXd slope = Eigen::VectorXd::Zero(n);
      double slack = 1;
      for (Index j = distributions.begin(i); j < distributions.end(i); ++j) {
        slack -= std::exp(at(x, j));
        at(slope, j) = -std::exp(at(x, j));
      }
      wall(slack, slope);
      if (gradient == nullptr || !(slack > 0)) continue;
      for (Index j = distributions.begin(i); j < distributions.end(i); ++j) {
        hessian->diagonal()[static_cast<Eigen::Index>(j)] += std::exp(at(x, j)) / slack;
      }
    }
    return inside ? value : std::numeric_limits<double>::infinity();
  }

  const SmallProblem& problem_;
  MarginSetting setting_;
  Index d_, n_;
};

}  // namespace trellis::testing
