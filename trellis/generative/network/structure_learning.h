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
//                     If no move improves, it makes the least bad one that does not lead back to
//                     one of the last graphs (tabu search, Glover 1986); it returns the best graph
//                     that it has visited.
//
// The criterion is a sum over families, each counted in a dense table. The gain of a move is stored
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

// Throws UsageError if a value is missing or unknown, or the root is unknown.
NetworkParents chow_liu_parents(const std::vector<NetworkVariable>& variables,
                                const NetworkData& data, Index root = 0, int threads = 1);

// In nats per row.
double mutual_information(const std::vector<NetworkVariable>& variables, const NetworkData& data,
                          Index u, Index v);

struct HillClimbing {
  Index max_parents = 8;
  Index max_steps = 100000;
  Index tabu = 100;     // it does not return to this many graphs that it visited last
  Index patience = 20;  // it ends after more steps than these without a new best graph
  // Families with larger tables are not considered. (Their penalty would exceed their gain, except
  // for many millions of rows.)
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

// Starts from `start`, or without arcs if that is empty.
LearnedGraph climb_hills(const std::vector<NetworkVariable>& variables, const NetworkData& data,
                         const HillClimbing& options, const NetworkParents& start = {},
                         const ClimbingWatch& watch = {});

// BIC of a graph.
double bic_score(const NetworkGraph& graph, const NetworkData& data);

}  // namespace trellis
