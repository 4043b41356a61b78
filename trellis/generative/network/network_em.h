// Expectation maximisation (Dempster, Laird & Rubin 1977; Lauritzen 1995) for a network of which
// rows do not have all values: any may be missing in any row, and a variable in all of them.
//
//   E   N_k = Σ_rows weight · P(the family of k has that value | what the row has)
//   M   e^θ_k = (N_k + α) / Σ (N + α)
//
// climbs  J(θ) = Σ_rows weight · log P(what the row has) + α Σ_k θ_k,  which never falls. It climbs
// to a local maximum: several starts are tried, and the one that ends highest is kept.
//
// A start draws each distribution near the counts of the families that are complete in a row:
// p ∝ N + e, with e exponential, so that one of which nothing is known is drawn uniformly from all.
//
// Rows that are equal are merged, and rows that miss the same variables share a junction tree. The
// result has the same bits for every number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/generative/network/network_data.h"

namespace trellis {

struct EmOptions {
  double smoothing = 0;     // α ≥ 0
  Index restarts = 1;       // starts that are tried, ≥ 1
  Index first_start = 0;    // the number of the first: start k draws the same wherever one begins
  Index iterations = 1000;  // of one start, at most
  double tolerance = 1e-8;  // stops when J rises by less than this part of |J|
  std::uint64_t seed = 1;
  int threads = 1;
};

struct EmIteration {
  Index start;
  Index iteration;        // E steps of that start so far: 1 is before its first M step
  double log_likelihood;  // before its M step
  double objective;       // J
};

struct EmResult {
  BayesNetwork network;
  double log_likelihood;  // of what the rows have, under the network
  double objective;
  Index start;  // the one that was kept
  bool converged;
  bool stopped;                      // by the watch
  std::vector<EmIteration> history;  // of all starts
};

// False: stop after this iteration.
using EmWatch = std::function<bool(const EmIteration&)>;

// `first`: θ of start 0, where it is not drawn. Throws UsageError where data and graph do
// not fit, options are out of range, or a row is impossible under `first`.
EmResult maximise_expectation(std::shared_ptr<const NetworkGraph> graph, const NetworkData& data,
                              const EmOptions& options,
                              const std::optional<std::vector<double>>& first = {},
                              const EmWatch& watch = {});

}  // namespace trellis
