// Expectation maximisation (Dempster, Laird & Rubin 1977; Lauritzen 1995) for a network from rows
// with missing values: any values of any row, or a variable in all rows.
//
//   E   N_k = Σ_rows weight · P(the family of k has that value | the known values of the row)
//   M   e^θ_k = (N_k + α) / Σ (N + α)
//
// maximises  J(θ) = Σ_rows weight · log P(the known values of the row) + α Σ_k θ_k,  which never
// decreases. It reaches a local maximum: several starts are tried, and the best one is kept.
//
// A start draws each distribution near the counts of the families that are complete in a row: p ∝ N
// + e, with e exponential, so that a distribution without counts is drawn uniformly from all.
//
// Equal rows are merged, and rows with the same missing variables share a junction tree. The result
// has the same bits for any number of threads.
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
  Index restarts = 1;       // number of starts, ≥ 1
  Index first_start = 0;    // the number of the first: start k draws the same wherever one begins
  Index iterations = 1000;  // of one start, at most
  double tolerance = 1e-8;  // stops when J increases by less than this share of |J|
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
  double log_likelihood;  // of the known values under the network
  double objective;
  Index start;  // the one that was kept
  bool converged;
  bool stopped;                      // by the watch
  std::vector<EmIteration> history;  // of all starts
};

// False: stop after this iteration.
using EmWatch = std::function<bool(const EmIteration&)>;

// `first`: θ of start 0, if it is not drawn. Throws UsageError if data and graph do not match,
// options are out of range, or a row is impossible under `first`.
EmResult maximise_expectation(std::shared_ptr<const NetworkGraph> graph, const NetworkData& data,
                              const EmOptions& options,
                              const std::optional<std::vector<double>>& first = {},
                              const EmWatch& watch = {});

}  // namespace trellis
