#include "trellis/solve/polytopes/polytope_interior.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trellis {
namespace {

// Keeps the equations positive definite if rows are redundant; far below their other entries.
constexpr double kLeastDiagonal = 1e-12;
// The maximum share of the distance to the boundary in a step.
constexpr double kShy = 0.995;

}  // namespace

void InteriorPoint::Pairs::resize(Index size) {
  for (Vector* vector : {&primal, &dual, &primal_step, &dual_step, &target}) {
    vector->assign(size, 0.0);
  }
}

double InteriorPoint::Pairs::product_after(double step) const {
  double sum = 0;
  for (Index i = 0; i < primal.size(); ++i) {
    sum += (primal[i] + step * primal_step[i]) * (dual[i] + step * dual_step[i]);
  }
  return sum;
}

double InteriorPoint::Pairs::longest_step() const {
  double step = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < primal.size(); ++i) {
    if (primal_step[i] < 0) step = std::min(step, -primal[i] / primal_step[i]);
    if (dual_step[i] < 0) step = std::min(step, -dual[i] / dual_step[i]);
  }
  return step;
}

void InteriorPoint::Pairs::set_targets(double mu, bool second_order) {
  for (Index i = 0; i < primal.size(); ++i) {
    target[i] = mu - primal[i] * dual[i] - (second_order ? primal_step[i] * dual_step[i] : 0.0);
  }
}

void InteriorPoint::Pairs::move(double step) {
  for (Index i = 0; i < primal.size(); ++i) {
    primal[i] += step * primal_step[i];
    dual[i] += step * dual_step[i];
  }
}

void InteriorPoint::start(std::span<const double> v) {
  const Index m = rows_.num_rows(), n = rows_.num_columns();
  double size = 1;
  for (const double value : v) size = std::max(size, std::abs(value));
  bounded_.clear();
  unequal_.clear();
  for (Index p = 0; p < n; ++p) {
    if (std::isfinite(rows_.bound(p))) bounded_.push_back(p);
  }
  for (Index i = 0; i < m; ++i) {
    if (rows_.is_inequality(i)) unequal_.push_back(i);
  }
  lower_.resize(n);
  upper_.resize(bounded_.size());
  slack_.resize(unequal_.size());
  for (Index p = 0; p < n; ++p) {
    lower_.primal[p] = std::min(1.0, 0.5 * rows_.bound(p));
    lower_.dual[p] = size;
  }
  for (Index k = 0; k < bounded_.size(); ++k) {
    upper_.primal[k] = rows_.bound(bounded_[k]) - lower_.primal[bounded_[k]];
    upper_.dual[k] = size;
  }
  lambda_.assign(m, 0.0);
  for (Index k = 0; k < unequal_.size(); ++k) {
    slack_.primal[k] = 1;
    slack_.dual[k] = lambda_[unequal_[k]] = size;
  }
  lambda_step_.resize(m);
  dual_residual_.resize(n);
  theta_.resize(n);
  pull_.resize(n);
  diagonal_.resize(m);
  right_.resize(m);
  bound_residual_.resize(bounded_.size());
}

// Computes the residuals of the linear conditions; returns the largest.
double InteriorPoint::find_residuals(std::span<const double> v) {
  rows_.right_sides(row_residual_);  // A z + t − b
  for (double& residual : row_residual_) residual = -residual;
  for (Index p = 0; p < rows_.num_columns(); ++p) {
    double sum = lower_.primal[p] - v[p] - lower_.dual[p];
    for (const PolytopeRows::Term& a : rows_.column(p)) {
      sum += a.value * lambda_[a.row];
      row_residual_[a.row] += a.value * lower_.primal[p];
    }
    dual_residual_[p] = sum;
  }
  double largest = 0;
  for (Index k = 0; k < bounded_.size(); ++k) {
    const Index p = bounded_[k];
    dual_residual_[p] += upper_.dual[k];
    bound_residual_[k] = lower_.primal[p] + upper_.primal[k] - rows_.bound(p);
    largest = std::max(largest, std::abs(bound_residual_[k]));
  }
  for (Index k = 0; k < unequal_.size(); ++k) row_residual_[unequal_[k]] += slack_.primal[k];
  for (const double residual : dual_residual_) largest = std::max(largest, std::abs(residual));
  for (const double residual : row_residual_) largest = std::max(largest, std::abs(residual));
  return largest;
}

void InteriorPoint::factorize() {
  for (Index p = 0; p < theta_.size(); ++p) theta_[p] = 1 + lower_.dual[p] / lower_.primal[p];
  for (Index k = 0; k < bounded_.size(); ++k) {
    theta_[bounded_[k]] += upper_.dual[k] / upper_.primal[k];
  }
  for (double& theta : theta_) theta = 1 / theta;
  std::fill(diagonal_.begin(), diagonal_.end(), kLeastDiagonal);
  for (Index k = 0; k < unequal_.size(); ++k) {
    diagonal_[unequal_[k]] += slack_.primal[k] / slack_.dual[k];
  }
  equations_.factorize(theta_, diagonal_);
}

// Computes all steps from the targets of the products: s dz + z ds = target, and so on.
void InteriorPoint::find_step() {
  right_ = row_residual_;
  for (Index p = 0; p < theta_.size(); ++p) {
    pull_[p] = lower_.target[p] / lower_.primal[p] - dual_residual_[p];
  }
  for (Index k = 0; k < bounded_.size(); ++k) {
    pull_[bounded_[k]] -=
        (upper_.target[k] + upper_.dual[k] * bound_residual_[k]) / upper_.primal[k];
  }
  for (Index p = 0; p < theta_.size(); ++p) {
    for (const PolytopeRows::Term& a : rows_.column(p)) {
      right_[a.row] += a.value * theta_[p] * pull_[p];
    }
  }
  for (Index k = 0; k < unequal_.size(); ++k) {
    right_[unequal_[k]] += slack_.target[k] / slack_.dual[k];
  }
  equations_.solve(right_, lambda_step_);
  for (Index p = 0; p < theta_.size(); ++p) {
    double pull = pull_[p];
    for (const PolytopeRows::Term& a : rows_.column(p)) pull -= a.value * lambda_step_[a.row];
    lower_.primal_step[p] = theta_[p] * pull;
    lower_.dual_step[p] =
        (lower_.target[p] - lower_.dual[p] * lower_.primal_step[p]) / lower_.primal[p];
  }
  for (Index k = 0; k < bounded_.size(); ++k) {
    upper_.primal_step[k] = -bound_residual_[k] - lower_.primal_step[bounded_[k]];
    upper_.dual_step[k] =
        (upper_.target[k] - upper_.dual[k] * upper_.primal_step[k]) / upper_.primal[k];
  }
  for (Index k = 0; k < unequal_.size(); ++k) {
    slack_.dual_step[k] = lambda_step_[unequal_[k]];
    slack_.primal_step[k] =
        (slack_.target[k] - slack_.primal[k] * slack_.dual_step[k]) / slack_.dual[k];
  }
}

void InteriorPoint::set_targets(double mu, bool second_order) {
  for (Pairs* pairs : {&lower_, &upper_, &slack_}) pairs->set_targets(mu, second_order);
}

double InteriorPoint::longest_step() const {
  return std::min({lower_.longest_step(), upper_.longest_step(), slack_.longest_step()});
}

double InteriorPoint::mean_product(double step) const {
  const Index pairs = lower_.primal.size() + upper_.primal.size() + slack_.primal.size();
  const double sum =
      lower_.product_after(step) + upper_.product_after(step) + slack_.product_after(step);
  return sum / static_cast<double>(std::max<Index>(1, pairs));
}

void InteriorPoint::move(double step) {
  for (Pairs* pairs : {&lower_, &upper_, &slack_}) pairs->move(step);
  for (Index i = 0; i < lambda_.size(); ++i) lambda_[i] += step * lambda_step_[i];
  for (Index k = 0; k < unequal_.size(); ++k) lambda_[unequal_[k]] = slack_.dual[k];
}

Index InteriorPoint::approach(std::span<const double> v, double precision,
                              std::span<double> lambda) {
  start(v);
  double size = 1;
  for (const double value : v) size = std::max(size, std::abs(value));
  Index steps = 0;
  for (; steps < kMaxSteps; ++steps) {
    const double residual = find_residuals(v);
    const double mu = mean_product(0);
    if (mu <= precision && residual <= precision * size) break;
    factorize();
    set_targets(0, false);
    find_step();
    // The success of the predictor step sets the target on the path (Mehrotra 1992).
    const double predicted = mean_product(std::min(1.0, longest_step())) / mu;
    if (!std::isfinite(predicted)) break;
    set_targets(predicted * predicted * predicted * mu, true);
    find_step();
    const double step = std::min(1.0, kShy * longest_step());
    // For an empty polytope the loop ends here: the multipliers grow until steps are too short, or
    // until they overflow.
    if (!(step > 1e-8) || !std::isfinite(mean_product(step))) break;
    move(step);
  }
  std::copy(lambda_.begin(), lambda_.end(), lambda.begin());
  // The smaller value of each pair converges to 0.
  for (Index k = 0; k < unequal_.size(); ++k) {
    if (slack_.dual[k] < slack_.primal[k]) lambda[unequal_[k]] = 0;
  }
  return steps;
}

}  // namespace trellis
