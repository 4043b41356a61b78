#include "trellis/solve/matching_dual.h"

#include <algorithm>
#include <cmath>

namespace trellis {
namespace {

constexpr double kTolerance = 1e-12;    // of the residual, where b is of the order of 1
constexpr double kLeastDamping = 1e-8;  // of a step after one that failed
constexpr double kMostDamping = 1e8;
constexpr double kDampingFactor = 100;
constexpr Index kMaxSteps = 1000;
constexpr Index kMaxHalvings = 12;
constexpr double kArmijo = 1e-4;
constexpr double kGoodProgress = 0.25;
constexpr Index kManyCandidates = 3;  // times the support
constexpr double kManyMoves = 8;

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0;
  for (Index k = 0; k < x.size(); ++k) largest = std::max(largest, std::abs(x[k] - y[k]));
  return largest;
}

}  // namespace

void MatchingDual::start() {
  point_.b.assign(outer_bound.size(), 0.0);
  point_.a.assign(inner_bound.size(), 0.0);
  prepare();
  evaluate(point_);
  reach_ = 2;
  steps_ = 0;
  last_move_ = std::numeric_limits<double>::infinity();
}

void MatchingDual::prepare() {
  Index longest = 0;
  for (Index i = 0; i < inner_bound.size(); ++i) {
    longest = std::max(longest, begin[i + 1] - begin[i]);
  }
  work_.resize(longest);
  above_.resize(longest);
}

// The root a of Σ_e max(0, x_e − a) = 1, or the bound l_i where that is above the root. The left
// side is convex, so a Newton step from anywhere leads to the left of the root, and those that
// follow rise to it, each with fewer x above a (Michelot 1986). Writes x into work_.
double MatchingDual::threshold(Index i, const Point& at, double guess) {
  const Index first = begin[i], size = begin[i + 1] - first;
  double largest = -std::numeric_limits<double>::infinity();
  for (Index k = 0; k < size; ++k) {
    work_[k] = reduced[first + k] - at.b[node[first + k]];
    largest = std::max(largest, work_[k]);
  }
  const double bound = inner_bound[i];
  if (largest <= bound) return bound;
  double a = std::max(bound, largest - 1);
  if (guess > a && guess < largest) {
    double sum = 0, count = 0;
    for (Index k = 0; k < size; ++k) {
      sum += work_[k] > guess ? work_[k] : 0.0;
      count += work_[k] > guess ? 1.0 : 0.0;
    }
    a = std::max(a, (sum - 1) / count);
  }
  const double* x = work_.data();
  Index left = size;
  for (;;) {
    double sum = 0;
    Index count = 0;
    for (Index k = 0; k < left; ++k) {
      const double value = x[k];
      const bool above = value > a;
      above_[count] = value;
      sum += above ? value : 0.0;
      count += above ? 1 : 0;
    }
    const double next = (sum - 1) / static_cast<double>(count);
    if (!(next > a)) return a;
    a = next;
    x = above_.data();
    left = count;
  }
}

// Needs at.b, and in at.a a guess.
void MatchingDual::evaluate(Point& at) {
  const Index inner = inner_bound.size();
  at.gradient.assign(outer_bound.size(), 1.0);
  at.begin.resize(inner + 1);
  at.begin[0] = 0;
  at.node.resize(node.size());
  at.z.resize(node.size());
  at.value = 0;
  Index support = 0;
  for (Index i = 0; i < inner; ++i) {
    const double a = at.a[i] = threshold(i, at, at.a[i]);
    double squares = 0;
    for (Index e = begin[i]; e < begin[i + 1]; ++e) {
      const double z = work_[e - begin[i]] - a;
      if (!(z > 0)) continue;
      at.node[support] = node[e];
      at.z[support++] = z;
      at.gradient[node[e]] -= z;
      squares += z * z;
    }
    at.begin[i + 1] = support;
    at.value += 0.5 * squares + a;
  }
  at.node.resize(support);
  at.z.resize(support);
  measure(at);
}

void MatchingDual::measure(Point& at) const {
  at.residual = 0;
  for (Index o = 0; o < at.b.size(); ++o) {
    at.value += at.b[o];
    const double violation = std::min(at.b[o] - outer_bound[o], at.gradient[o]);
    at.residual = std::max(at.residual, std::abs(violation));
  }
}

MatchingDual::Outcome MatchingDual::minimize(const std::vector<double>& margin) {
  prepare();
  first_a_ = point_.a;
  first_b_ = point_.b;
  evaluate(point_);
  least_residual_ = point_.residual;
  double damping = 0;
  for (; steps_ < kMaxSteps; ++steps_) {
    double size = 1;
    for (const double b : point_.b) size = std::max(size, std::abs(b));
    if (point_.residual <= kTolerance * size) return Outcome::kDone;
    if (too_many(margin)) return Outcome::kTooMany;
    if (find_direction(damping) && search_line()) {
      last_move_ = largest_difference(point_.a, trial_.a) + largest_difference(point_.b, trial_.b);
      if (!within(margin, trial_)) return Outcome::kTooFew;
      std::swap(point_, trial_);
      least_residual_ = std::min(least_residual_, point_.residual);
      damping = damping > kLeastDamping ? damping / kDampingFactor : 0;
    } else {
      // With enough of it the step is one of gradient descent, which cannot fail but by rounding.
      damping = std::max(damping * kDampingFactor, kLeastDamping);
      if (damping > kMostDamping) break;
    }
  }
  return Outcome::kDone;
}

bool MatchingDual::within(const std::vector<double>& margin, const Point& at) const {
  double fallen = 0;
  for (Index o = 0; o < at.b.size(); ++o) fallen = std::min(fallen, at.b[o] - first_b_[o]);
  for (Index i = 0; i < at.a.size(); ++i) {
    if (at.a[i] - first_a_[i] + fallen < -margin[i]) return false;
  }
  return true;
}

bool MatchingDual::too_many(const std::vector<double>& margin) const {
  if (node.size() <= kManyCandidates * point_.node.size()) return false;
  double least = std::numeric_limits<double>::infinity();
  for (const double m : margin) least = std::min(least, m);
  return kManyMoves * last_move_ < least;
}

void MatchingDual::move(double t, Point& to) {
  to.a = point_.a;
  to.b.resize(point_.b.size());
  for (Index o = 0; o < to.b.size(); ++o) {
    to.b[o] = std::max(outer_bound[o], point_.b[o] + t * direction_[o]);
  }
  evaluate(to);
}

// ψ is convex, so a trial with ∇ψ(trial)·(trial − b) ≤ 0 lies lower: a test that rounding does not
// spoil close to the minimum, as it does that of Armijo.
bool MatchingDual::search_line() {
  double t = 1;
  for (Index k = 0; k < kMaxHalvings; ++k) {
    move(t, trial_);
    double before = 0, after = 0;
    for (Index o = 0; o < trial_.b.size(); ++o) {
      const double moved = trial_.b[o] - point_.b[o];
      before += point_.gradient[o] * moved;
      after += trial_.gradient[o] * moved;
    }
    const bool lower = after <= 0 || trial_.value <= point_.value + kArmijo * before;
    if ((before < 0 && lower) || trial_.residual <= 0.5 * least_residual_) {
      if (k == 0) {
        reach_ *= 4;
        try_further(2);
      }
      return true;
    }
    if (!(before < 0)) break;
    t *= std::clamp(before / (before - after), 0.1, 0.7);
  }
  reach_ = std::max(1.0, reach_ / 4);
  return false;
}

// Where z wants to be 0 on edges between components that are in balance without them, a Newton step
// moves the components just so far that these edges are about to go, and others come in instead: a
// crawl. Twice the step leaves them behind.
void MatchingDual::try_further(double t) {
  if (trial_.residual <= kGoodProgress * point_.residual) return;
  move(t, further_);
  if (further_.residual < trial_.residual && further_.value <= trial_.value) {
    std::swap(trial_, further_);
  }
}

}  // namespace trellis
