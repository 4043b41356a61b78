#include "trellis/solve/polytopes/simplex_qp.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

class ActiveSet {
 public:
  ActiveSet(std::span<const double> gram, std::span<const double> linear, std::span<double> alpha)
      : size_(linear.size()),
        gram_(gram),
        linear_(linear),
        alpha_(alpha),
        factor_(size_ * size_),
        gradient_(size_),
        work_(size_),
        target_(size_) {
    for (Index j = 0; j < size_; ++j) lift_ = std::max(lift_, product(j, j));
    if (lift_ == 0) lift_ = 1;
  }

  // A start becomes a support; mass on dependent rows slides together.
  void adopt_start() {
    const double mass = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
    if (!(mass > 0)) alpha_[best_vertex()] = 1;
    const double scale = mass > 0 ? 1 / mass : 1.0;
    for (double& a : alpha_) a *= scale;
    update_gradient();
    for (Index j = 0; j < size_; ++j) {
      if (alpha_[j] > 0) insert(j);
    }
  }

  // Goes to the minimum over the simplex of the support, which loses rows on the way.
  void minimize() {
    while (true) {
      solve_on_support();
      Index blocking = support_.size();
      double step = 1;
      for (Index r = 0; r < support_.size(); ++r) {
        const double from = alpha_[support_[r]];
        if (target_[r] > 0) continue;
        const double reach = from > target_[r] ? from / (from - target_[r]) : 0.0;
        if (blocking == support_.size() || reach < step) {
          step = reach;
          blocking = r;
        }
      }
      for (Index r = 0; r < support_.size(); ++r) {
        double& a = alpha_[support_[r]];
        a = blocking == support_.size() ? target_[r] : std::max(0.0, a + step * (target_[r] - a));
      }
      if (blocking == support_.size() || support_.size() == 1) return;
      alpha_[support_[blocking]] = 0;
      erase(blocking);
    }
  }

  // Finds how far the optimality conditions are violated, and the row that should enter.
  double violation() {
    update_gradient();
    entering_ = static_cast<Index>(std::min_element(gradient_.begin(), gradient_.end()) -
                                   gradient_.begin());
    double highest = gradient_[entering_];
    for (const Index s : support_) highest = std::max(highest, gradient_[s]);
    return highest - gradient_[entering_];
  }

  double magnitude() const { return magnitude_; }
  bool entering_is_new() const {
    return std::find(support_.begin(), support_.end(), entering_) == support_.end();
  }
  void enter() { insert(entering_); }
  double objective() const {
    double value = 0;
    for (const Index s : support_) value += alpha_[s] * (gradient_[s] - linear_[s]) / 2;
    return value;
  }

 private:
  // A pivot below this share of its diagonal is rounding: the row depends on the support.
  static constexpr double kDependent = 1e-13;

  double product(Index i, Index j) const { return gram_[i * size_ + j]; }
  double* row(Index r) { return factor_.data() + r * size_; }

  Index best_vertex() const {
    Index best = 0;
    const auto value = [this](Index j) { return product(j, j) / 2 - linear_[j]; };
    for (Index j = 1; j < size_; ++j) {
      if (value(j) < value(best)) best = j;
    }
    return best;
  }

  // g ← Gα − b, and the size of the numbers that it is the difference of.
  void update_gradient() {
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    std::fill(work_.begin(), work_.end(), 0.0);
    for (Index k = 0; k < size_; ++k) {
      if (alpha_[k] == 0) continue;
      for (Index j = 0; j < size_; ++j) {
        const double term = alpha_[k] * product(k, j);
        gradient_[j] += term;
        work_[j] += std::abs(term);
      }
    }
    magnitude_ = 0;
    for (Index j = 0; j < size_; ++j) {
      gradient_[j] -= linear_[j];
      magnitude_ = std::max(magnitude_, work_[j] + std::abs(linear_[j]));
    }
  }

  // The row of the Cholesky factor of G + t·11ᵀ that j would add; false if j depends on the
  // support.
  bool append(Index j) {
    const Index m = support_.size();
    double* l = row(m);
    for (Index r = 0; r < m; ++r) {
      const double* lr = row(r);
      const double rest = dot({lr, r}, {l, r});
      l[r] = (product(support_[r], j) + lift_ - rest) / lr[r];
    }
    const double diagonal = product(j, j) + lift_;
    const double pivot = diagonal - squared_norm({l, m});
    if (!(pivot > kDependent * diagonal)) return false;
    l[m] = std::sqrt(pivot);
    support_.push_back(j);
    return true;
  }

  void insert(Index j) {
    while (!append(j)) {
      if (!slide(j)) return;
    }
  }

  // append(j) found that e_j − Σ c_s e_s has no curvature. Moves along it, downhill, until a row is
  // empty. False if that is j itself; else the row has left, and j may try again.
  bool slide(Index j) {
    const Index m = support_.size();
    std::vector<double> c(row(m), row(m) + m);
    solve_transposed(c);
    double slope = gradient_of(j);
    for (Index r = 0; r < m; ++r) slope -= c[r] * gradient_of(support_[r]);
    const double sign = slope <= 0 ? 1 : -1;
    Index emptied = m;
    double step = sign < 0 ? alpha_[j] : std::numeric_limits<double>::infinity();
    for (Index r = 0; r < m; ++r) {
      const double fall = sign * c[r];
      if (!(fall > 0)) continue;
      const double reach = alpha_[support_[r]] / fall;
      if (reach < step) {
        step = reach;
        emptied = r;
      }
    }
    if (!std::isfinite(step)) return false;
    for (Index r = 0; r < m; ++r) {
      double& a = alpha_[support_[r]];
      a = r == emptied ? 0 : std::max(0.0, a - sign * step * c[r]);
    }
    alpha_[j] = emptied == m ? 0 : alpha_[j] + sign * step;
    if (emptied == m) return false;
    erase(emptied);
    return true;
  }

  // α has moved since g was computed, so this coordinate is computed again.
  double gradient_of(Index j) const {
    return dot(gram_.subspan(j * size_, size_), alpha_) - linear_[j];
  }

  void erase(Index position) {
    const auto at = support_.begin() + static_cast<std::ptrdiff_t>(position);
    const std::vector<Index> behind(at + 1, support_.end());
    support_.erase(at, support_.end());
    for (const Index j : behind) insert(j);
  }

  void solve(std::span<double> x) {
    for (Index r = 0; r < x.size(); ++r) {
      const double* l = row(r);
      x[r] = (x[r] - dot({l, r}, x.first(r))) / l[r];
    }
    solve_transposed(x);
  }

  void solve_transposed(std::span<double> x) {
    for (Index r = x.size(); r-- > 0;) {
      const double* l = row(r);
      x[r] /= l[r];
      axpy(-x[r], {l, r}, x.first(r));
    }
  }

  // target_ ← the minimum over {α : Σ α = 1} on the support, as a step p from α with Σ p = 0:
  // (G + t·11ᵀ) p = ν1 − g. Only differences of g matter, and they are all that is solved for.
  void solve_on_support() {
    const Index m = support_.size();
    target_.resize(m);
    std::vector<double> ones(m, 1.0);
    double level = 0;
    for (Index r = 0; r < m; ++r) {
      target_[r] = -gradient_of(support_[r]);
      level += alpha_[support_[r]] * target_[r];
    }
    for (double& value : target_) value -= level;
    solve(target_);
    solve(ones);
    const double total = sum(ones);
    // Once for ν, once more for what the first left by rounding.
    for (int k = 0; k < 2; ++k) axpy(-sum(target_) / total, ones, target_);
    for (Index r = 0; r < m; ++r) target_[r] += alpha_[support_[r]];
  }

  Index size_;
  std::span<const double> gram_;
  std::span<const double> linear_;
  std::span<double> alpha_;
  double lift_ = 0;             // t
  std::vector<Index> support_;  // S, in the order of the factor's rows
  std::vector<double> factor_;  // lower triangle, rows of size_ values
  std::vector<double> gradient_;
  double magnitude_ = 0;
  Index entering_ = 0;
  std::vector<double> work_;
  std::vector<double> target_;
};

}  // namespace

SimplexQpResult simplex_qp(std::span<const double> gram, std::span<const double> linear,
                           std::span<double> alpha) {
  constexpr double kViolation = 1e-12;  // of the largest |b_j| + Σ_k |G_jk| α_k
  constexpr Index kMostSteps = 10000;
  assert(!linear.empty() && gram.size() == linear.size() * linear.size());
  assert(alpha.size() == linear.size());
  ActiveSet set(gram, linear, alpha);
  set.adopt_start();
  set.minimize();
  SimplexQpResult result{set.violation(), 0};
  while (result.violation > kViolation * set.magnitude() && result.steps < kMostSteps &&
         set.entering_is_new()) {
    const double before = set.objective();
    const std::vector<double> last(alpha.begin(), alpha.end());
    set.enter();
    set.minimize();
    ++result.steps;
    const double violation = set.violation();
    // Below the precision of the objective a step is as likely to go up as down.
    if (!(set.objective() < before) && violation >= result.violation) {
      std::copy(last.begin(), last.end(), alpha.begin());
      break;
    }
    result.violation = violation;
  }
  return result;
}

}  // namespace trellis
