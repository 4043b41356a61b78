#include "trellis/solve/factors/factor_fit.h"

#include <algorithm>
#include <cmath>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kFitSteps = 6;
constexpr double kMostFitted = 1e4;   // of a message
constexpr double kLeastApart = 1e-9;  // marginals that are told from each other

// both ≥ 0 and a ≤ b. Let d = P(a without b), which is small where a nearly implies b. Then
//
//   d (b − a + d) = e^−both (a − d)(1 − b − d),
//
// whose root is written without a difference, and d as a logarithm.
PairScores fit_attracting_pair(double a, double b, double both) {
  const double q = portable_exp(-both);
  const double apart = std::max(b - a, kLeastApart);
  const double linear = apart + q * (1 - apart), constant = q * a * (1 - b);
  const double root = linear + std::sqrt(linear * linear + 4 * (1 - q) * constant);
  const double log_d = portable_log(2 * a * (1 - b) / root) - both;
  const double d = portable_exp(log_d);
  const double log_none = portable_log(std::max(1 - b - d, kLeastApart));
  return {log_d - log_none, portable_log(apart + d) - log_none};
}

}  // namespace

// A pair that repels is one that attracts, with b the other way round: both · z_a z_b =
// both · z_a − both · z_a (1 − z_b).
PairScores fit_pair(double a, double b, double both) {
  if (both < 0) {
    const PairScores turned = fit_pair(a, 1 - b, -both);
    return {turned.a - both, -turned.b};
  }
  if (a <= b) return fit_attracting_pair(a, b, both);
  const PairScores swapped = fit_attracting_pair(b, a, both);
  return {swapped.b, swapped.a};
}

void FactorFit::fit(const FactorGraphLayout& layout, const FactorGraphLayout::Factor& f,
                    std::span<const double> own_scores, std::span<const double> log_odds,
                    std::span<const double> log_chances, std::span<double> messages) {
  const std::span<const Literal> links = layout.links(f);
  if (f.kind == FactorKind::kPair) {
    const double a = log_odds[links[0].state], b = log_odds[links[1].state];
    const PairScores scores = fit_pair(chance_of(a), chance_of(b), own_scores[0]);
    messages[0] = a - scores.a;
    messages[1] = b - scores.b;
    return;
  }
  const bool has_scope = f.kind == FactorKind::kTable || f.kind == FactorKind::kSequence;
  const auto target = [&](Index l) {
    const Index state = links[l].state;
    const bool of_many = !layout.is_switch(layout.variable_of(state));
    return has_scope && of_many ? log_chances[state] : log_odds[state];
  };
  eta_.resize(links.size());
  heard_.resize(links.size());
  for (Index step = 0; step < kFitSteps; ++step) {
    for (Index l = 0; l < links.size(); ++l) eta_[l] = target(l) - messages[l];
    sums_.sum(layout, f, eta_, own_scores, heard_);
    for (Index l = 0; l < links.size(); ++l) {
      const double heard = std::clamp(heard_[l], -kMostFitted, kMostFitted);
      messages[l] += 0.5 * (heard - messages[l]);
    }
  }
}

}  // namespace trellis
