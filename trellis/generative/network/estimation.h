// The parameters of a network from rows without missing values. With N_j the weight of the rows
// that have a value j given an assignment of the parents,
//
//   e^θ_j = (N_j + α) / Σ_k (N_k + α):
//
// maximum likelihood for α = 0, the mean under a Dirichlet(α) prior otherwise (Laplace: α = 1). A
// distribution that no row speaks of is uniform with either.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/generative/network/network_data.h"

namespace trellis {

// N, laid out as θ. Throws UsageError where a value is missing.
std::vector<double> count_families(const NetworkGraph& graph, const NetworkData& data);

// θ from (expected) counts ≥ 0. Requires α ≥ 0.
std::vector<double> log_proportions(const Distributions& distributions,
                                    std::span<const double> counts, double alpha);

BayesNetwork estimate(std::shared_ptr<const NetworkGraph> graph, const NetworkData& data,
                      double alpha);

}  // namespace trellis
