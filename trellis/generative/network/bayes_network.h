// A Bayesian network over discrete variables (Pearl 1988): a graph (network_graph.h) and the
// log-probabilities θ of each variable given its parents.
//
//   log P(x) = Σ_v θ[parameter(v, x)]
//
// θ = −∞ is probability 0. A distribution's mass Σ_j e^θ_j is at most 1 (within 1e-9). After
// max-margin training it may be less; the missing mass is the probability of a value that the model
// does not know (Yu, Bertsekas & Rousu, sec. 2.1). missing_mass() reports it; only draws normalise
// distributions.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/network/network_graph.h"

namespace trellis {

class BayesNetwork {
 public:
  static constexpr double kMassTolerance = 1e-9;
  // Smaller probabilities are 0: logarithms stay within the range of portable_exp.
  static constexpr double kSmallest = 1e-300;

  // Throws UsageError if θ has another size, a NaN, or a distribution with a mass above 1 or of 0.
  BayesNetwork(std::shared_ptr<const NetworkGraph> graph, std::vector<double> theta);

  const NetworkGraph& graph() const { return *graph_; }
  const std::shared_ptr<const NetworkGraph>& shared_graph() const { return graph_; }
  const Distributions& distributions() const { return graph_->distributions(); }
  std::span<const double> theta() const { return theta_; }

  // Of a row without missing values.
  double log_probability(std::span<const Label> row) const;

  double mass(Index distribution) const;
  double missing_mass() const;  // 1 − mass, of the distribution where it is the most; at least 0

  // Ancestral sampling: a row from one uniform number for each variable, parents first. A
  // distribution with a mass below 1 is normalised for the draw.
  void sample(Random& random, std::span<Label> row) const;

 private:
  std::shared_ptr<const NetworkGraph> graph_;
  std::vector<double> theta_;
};

}  // namespace trellis
