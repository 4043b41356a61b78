#include "trellis/generative/network/estimation.h"

#include <utility>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

std::vector<double> count_families(const NetworkGraph& graph, const NetworkData& data) {
  data.require_complete(
      graph, "counting requires that all values are known; expectation maximisation does not");
  std::vector<double> counts(graph.distributions().dimension(), 0.0);
  for (Index i = 0; i < data.size(); ++i) {
    for (Index v = 0; v < graph.num_variables(); ++v) {
      counts[graph.parameter(v, data.row(i))] += data.weight(i);
    }
  }
  return counts;
}

std::vector<double> log_proportions(const Distributions& distributions,
                                    std::span<const double> counts, double alpha) {
  std::vector<double> theta(counts.size());
  for (Index i = 0; i < distributions.num(); ++i) {
    double total = 0;
    for (Index k = distributions.begin(i); k < distributions.end(i); ++k) {
      total += counts[k] + alpha;
    }
    for (Index k = distributions.begin(i); k < distributions.end(i); ++k) {
      const double p = total < BayesNetwork::kSmallest
                           ? 1 / static_cast<double>(distributions.size(i))
                           : (counts[k] + alpha) / total;
      theta[k] = p < BayesNetwork::kSmallest ? -kInfinity : portable_log(p);
    }
  }
  return theta;
}

BayesNetwork estimate(std::shared_ptr<const NetworkGraph> graph, const NetworkData& data,
                      double alpha) {
  if (!(alpha >= 0)) throw UsageError("smoothing must not be negative");
  std::vector<double> theta =
      log_proportions(graph->distributions(), count_families(*graph, data), alpha);
  return {std::move(graph), std::move(theta)};
}

}  // namespace trellis
