#include "tests/generative/margin/projected_subgradient.h"

#include "trellis/generative/margin/proximal_dual.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// Adds λ e^θ, λ ≥ 0, to the slope of every distribution whose mass is 1, such that it is shortest:
// still a subgradient as far as masses of at most 1 are concerned, without the share that the
// projection would take back.
void subtract_outward(const Distributions& distributions, std::span<const double> theta,
                      std::span<double> slope) {
  std::vector<double> outward;
  for (Index i = 0; i < distributions.num(); ++i) {
    const Index begin = distributions.begin(i), size = distributions.size(i);
    outward.resize(size);
    exp_shifted(theta.subspan(begin, size), 0, outward);
    if (sum(outward) < 1 - 1e-9) continue;
    const auto part = slope.subspan(begin, size);
    const double along = dot(part, outward);
    if (along < 0) axpy(-along / squared_norm(outward), outward, part);
  }
}

}  // namespace

SubgradientResult projected_subgradient(const ConvexOracle& losses,
                                        const Distributions& distributions,
                                        std::span<const double> c, std::span<const double> start,
                                        const SubgradientOptions& options) {
  MarginRisk risk(losses, options.eta, options.penalty, 1, options.threads);
  std::vector<double> theta(start.begin(), start.end()), slope(theta.size());
  SubgradientResult result;
  for (; result.steps < options.steps; ++result.steps) {
    double objective = risk.cut(0, theta, slope);
    for (Index j = 0; j < theta.size(); ++j) {
      const DivergenceAt f = divergence_at(options.divergence, c[j], portable_log(c[j]), theta[j],
                                           portable_exp(theta[j]));
      objective += f.value;
      slope[j] += f.slope;
    }
    if (result.steps == 0 || objective < result.objective) {
      result.objective = objective;
      result.theta = theta;
    }
    subtract_outward(distributions, theta, slope);
    const double above = objective - options.level, steepness = squared_norm(slope);
    if (above <= options.enough || steepness == 0) break;
    axpy(-above / steepness, slope, theta);
    project_to_feasible(distributions, theta);
  }
  return result;
}

}  // namespace trellis
