// The graph of a network from rows without missing values.
//
// naive_parents      one variable, the class, is the parent of all others.
// chow_liu_parents   the tree that makes the rows most likely (Chow & Liu 1968): the maximum
//                    spanning tree by mutual information, directed away from a root.
// climb_hills        a local maximum of the Bayesian information criterion (Schwarz 1978),
//
//                      BIC = max_θ log P(rows) − (log N / 2) Σ_v (d_v − 1) · rows of v's table,
//
//                    by the best of all additions, removals and reversals of one arc, step by step.
//                    Where none is better it goes on with the least bad one that does not lead
//                    back to a graph of a short while ago (tabu search, Glover 1986), and keeps
//                    the best graph that it has met.
//
// The criterion is a sum over families, each counted in a dense table. What a move brings is kept
// until the parents of its variables change, so a step counts the families of one or two variables.
// With n variables and N different rows, a step takes O(n N parents) time. Ties go to the first
// move: additions, removals, reversals, by child, by parent. The result does not depend on the
// number of threads.
#pragma once

#include <functional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/network_data.h"
#include "trellis/generative/network/network_graph.h"

namespace trellis {

NetworkParents naive_parents(Index num_variables, Index class_variable);

// Throws UsageError where a value is missing or unknown, and for an unknown root.
NetworkParents chow_liu_parents(const std::vector<NetworkVariable>& variables,
                                const NetworkData& data, Index root = 0, int threads = 1);

// In nats per row.
double mutual_information(const std::vector<NetworkVariable>& variables, const NetworkData& data,
                          Index u, Index v);

struct HillClimbing {
  Index max_parents = 8;
  Index max_steps = 100000;
  Index tabu = 100;     // it does not go back to so many graphs that it met last
  Index patience = 20;  // it ends after more steps than these without a new best graph
  // Families with larger tables are not tried. (Their penalty would be larger than what they can
  // bring, unless rows are many millions.)
  Index max_cells = Index{1} << 20;
  int threads = 1;
};

struct ClimbingStep {
  Index step;
  double score;       // BIC
  double best_score;  // so far
};

struct LearnedGraph {
  NetworkParents parents;  // ascending
  double score = 0;        // BIC
  Index steps = 0;
};

using ClimbingWatch = std::function<bool(const ClimbingStep&)>;  // false: stop

// From `start`, or no arcs at all where that is empty.
LearnedGraph climb_hills(const std::vector<NetworkVariable>& variables, const NetworkData& data,
                         const HillClimbing& options, const NetworkParents& start = {},
                         const ClimbingWatch& watch = {});

// BIC of a graph.
double bic_score(const NetworkGraph& graph, const NetworkData& data);

}  // namespace trellis
