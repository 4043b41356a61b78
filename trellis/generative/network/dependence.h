// The dependence of the variables of a network on each of their parents: the mutual information of
// a variable v and its parent u given the other parents W,
//
//   I(v; u | W) = Σ P(v, u, W) ln [ P(v, u, W) P(W) / (P(v, W) P(u, W)) ]      in nats,
//
// under the joint distribution of the network, normalised if distributions have a mass below 1. It
// is 0 if the arc could be removed (Koller & Friedman 2009, sec. 2.1.4 and A.1.3).
#pragma once

#include <vector>

#include "trellis/generative/network/bayes_network.h"

namespace trellis {

// By variable, for each of its parents in the order of the graph, by one pass over a junction tree
// of all variables; throws UsageError if that tree is too large.
std::vector<std::vector<double>> dependences(const BayesNetwork& network);

}  // namespace trellis
