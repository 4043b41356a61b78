// How strongly the variables of a network depend on each of their parents: the mutual information
// of a variable v and its parent u where the other parents W are known,
//
//   I(v; u | W) = Σ P(v, u, W) ln [ P(v, u, W) P(W) / (P(v, W) P(u, W)) ]      in nats,
//
// under the joint distribution of the network, normalised where distributions have less mass than
// one. It is 0 where the arrow could be left out (Koller & Friedman 2009, sec. 2.1.4 and A.1.3).
#pragma once

#include <vector>

#include "trellis/generative/network/bayes_network.h"

namespace trellis {

// By variable, for each of its parents as the graph lists them. By one pass over a junction tree of
// all variables; throws UsageError where that is too large.
std::vector<std::vector<double>> dependences(const BayesNetwork& network);

}  // namespace trellis
