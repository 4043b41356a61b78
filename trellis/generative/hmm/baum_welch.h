// Expectation–maximisation for hidden Markov models (Baum, Petrie, Soules & Weiss 1970) with states
// that are unknown, or known at some positions only.
//
//   E   n_ij = E[uses of parameter θ_ij | x]       forward–backward
//   M   e^θ_ij = (n_ij + α) / Σ_j (n_ij + α)       α > 0: a Dirichlet prior
//
// Neither step decreases the objective Σ log P(x) + α Σ_ij θ_ij (for α = 0, the log-likelihood). It
// has many local maxima: several starts are tried, and the best result is kept. A distribution with
// expected count 0 keeps its values; without a prior, probabilities below kNegligibleProbability
// become 0.
//
// Same data, options and seed give the same bits for any number of threads. Time per iteration:
// O(positions · S²).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/hmm/hmm.h"

namespace trellis {

struct BaumWelchOptions {
  Index restarts = 1;          // random starts, ≥ 1
  Index max_iterations = 100;  // of each
  double tolerance = 1e-6;  // stop when the gain of the objective is less than this times its size
  double smoothing = 0;     // α
  std::uint64_t seed = 1;
  int threads = 1;  // 0: all cores
};

struct BaumWelchRun {
  std::vector<double> objectives;  // of the model in each E-step; the first is that of the start
  double log_likelihood = 0;       // of the last of them
  bool converged = false;
};

struct BaumWelchResult {
  Hmm model;  // of the best run
  Index best = 0;
  std::vector<BaumWelchRun> runs;
  bool interrupted = false;
};

// The report of each E-step; false: stop, and keep the best model so far.
struct BaumWelchStep {
  Index restart = 0;
  Index iteration = 0;
  double objective = 0;
};
using BaumWelchWatch = std::function<bool(const BaumWelchStep&)>;

inline constexpr double kNegligibleProbability = 1e-60;

// Start number `restart`: distributions drawn uniformly, keyed by (seed, restart).
Hmm random_hmm_start(const HmmAlphabet& alphabet, std::uint64_t seed, Index restart);

// From random starts. Throws UsageError for invalid options or sequences.
BaumWelchResult baum_welch(const HmmAlphabet& alphabet, std::span<const HmmSequence> sequences,
                           const BaumWelchOptions& options, const BaumWelchWatch& watch = {});

// From given starts; ignores options.restarts and the seed. Throws UsageError also if a sequence
// has probability 0 under a start.
BaumWelchResult baum_welch_from(std::span<const Hmm> starts, std::span<const HmmSequence> sequences,
                                const BaumWelchOptions& options, const BaumWelchWatch& watch = {});

}  // namespace trellis
