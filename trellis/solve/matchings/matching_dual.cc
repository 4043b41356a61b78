#include "trellis/solve/matchings/matching_dual.h"

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
constexpr double kOvershoot = 0.2;  // the slope behind the minimum, in slopes before it
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
  point_.a.assign(inner_bound.size(), std::numeric_limits<double>::max());
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
  above_.resize(longest + 1);  // one more, since what is not above a is written before it is passed
  above_node_.resize(longest + 1);
}

// Writes the x_e = r_e − b_o of inner node i that are above a, with their nodes.
Index MatchingDual::gather_above(Index i, double a, const Point& at) {
  const double* const b = at.b.data();
  double* const x = above_.data();
  std::uint32_t* const nodes = above_node_.data();
  const Index last = begin[i + 1];
  Index count = 0;
  for (Index e = begin[i]; e < last; ++e) {
    const std::uint32_t o = node[e];
    const double value = reduced[e] - b[o];
    x[count] = value;
    nodes[count] = o;
    count += value > a ? 1 : 0;
  }
  return count;
}

// a_i: the root of Σ_e max(0, x_e − a) = 1, or the bound l_i where that is above the root; leaves
// the x_e above it in above_. The sum is convex in a, so a Newton step from anywhere leads to the
// left of the root, and those that follow rise to it, each with fewer x above a (Michelot 1986).
double MatchingDual::threshold(Index i, const Point& at, double a, Index& count) {
  const double bound = inner_bound[i];
  count = gather_above(i, a, at);
  if (count == 0) {
    if (a <= bound) return bound;
    double largest = bound;
    for (Index e = begin[i]; e < begin[i + 1]; ++e) {
      largest = std::max(largest, reduced[e] - at.b[node[e]]);
    }
    a = std::max(bound, largest - 1);
    count = gather_above(i, a, at);
    if (count == 0) return bound;
  }
  for (bool first = true;; first = false) {
    double sum = -1;
    for (Index k = 0; k < count; ++k) sum += above_[k];
    const double next = std::max(bound, sum / static_cast<double>(count));
    if (next == a || (next < a && !first)) return a;
    if (next < a) {
      a = next;
      count = gather_above(i, a, at);
      continue;
    }
    a = next;
    Index left = 0;
    for (Index k = 0; k < count; ++k) {
      const double value = above_[k];
      above_[left] = value;
      above_node_[left] = above_node_[k];
      left += value > a ? 1 : 0;
    }
    if (left == count) return a;
    count = left;
  }
}

// Needs at.b, and in at.a a guess, if possible a low one.
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
    Index count = 0;
    const double a = at.a[i] = threshold(i, at, at.a[i], count);
    double squares = 0;
    for (Index k = 0; k < count; ++k) {
      const double z = above_[k] - a;
      at.node[support] = above_node_[k];
      at.z[support++] = z;
      at.gradient[above_node_[k]] -= z;
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
    if (point_.residual <= kTolerance * size) return Outcome::kEnded;
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
  return Outcome::kEnded;
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

// a is a convex function of b, so its tangent is a guess from below.
void MatchingDual::move(double t, Point& to) {
  to.a.resize(point_.a.size());
  to.b.resize(point_.b.size());
  for (Index o = 0; o < to.b.size(); ++o) {
    to.b[o] = std::max(outer_bound[o], point_.b[o] + t * direction_[o]);
  }
  for (Index i = 0; i < to.a.size(); ++i) {
    to.a[i] = point_.a[i];
    if (!has_mean(i)) continue;
    const Index first = point_.begin[i], last = point_.begin[i + 1];
    double moved = 0;
    for (Index e = first; e < last; ++e) moved += to.b[point_.node[e]] - point_.b[point_.node[e]];
    to.a[i] -= moved / static_cast<double>(last - first);
  }
  evaluate(to);
}

// ψ is convex, so a trial with ∇ψ(trial)·(trial − b) ≤ 0 lies lower: a test that rounding does not
// spoil close to the minimum, as it does that of Armijo. Steps that go far beyond the minimum along
// their direction are cut back, or they would zigzag between two supports.
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
    const bool lower = after <= 0 || (after <= -kOvershoot * before &&
                                      trial_.value <= point_.value + kArmijo * before);
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
