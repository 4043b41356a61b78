#include "trellis/generative/hmm/baum_welch.h"

#include <fmt/format.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/generative/hmm/estimation.h"
#include "trellis/generative/hmm/hmm_inference.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

void check_options(const BaumWelchOptions& options, std::span<const HmmSequence> sequences) {
  if (options.restarts == 0) throw UsageError("expectation–maximisation needs a start");
  if (options.max_iterations == 0) throw UsageError("expectation–maximisation needs an iteration");
  if (!(options.tolerance >= 0)) throw UsageError("the tolerance must be a number ≥ 0");
  if (!(options.smoothing >= 0) || std::isinf(options.smoothing)) {
    throw UsageError(fmt::format("smoothing must be a number ≥ 0, not {}", options.smoothing));
  }
  if (sequences.empty()) throw UsageError("there is no sequence to learn from");
}

// One run of EM over fixed sequences.
class Climb {
 public:
  Climb(std::span<const HmmSequence> sequences, const BaumWelchOptions& options)
      : sequences_(sequences),
        options_(options),
        threads_(resolve_threads(options.threads)),
        scratch_(static_cast<Index>(threads_)) {}

  // The E-step: log-likelihood, and the expected counts.
  double expect(const Hmm& model, std::vector<double>& counts) {
    const HmmInference inference(model);
    sums_.resize(inference.num_sums());
    const double value = parallel_sum(
        sequences_.size(), threads_, sums_,
        [&](Index begin, Index end, int worker, std::span<double> partial) {
          double sum = 0;
          for (Index n = begin; n < end; ++n) {
            const double one = inference.add_expectations(
                sequences_[n], scratch_[static_cast<Index>(worker)], partial);
            if (one == -kInfinity) {
              throw UsageError(fmt::format("sequence {} has probability 0 under the start", n + 1));
            }
            sum += one;
          }
          return sum;
        },
        buffers_);
    counts = inference.expected_counts(sums_);
    return value;
  }

  // log P plus the prior's share, α Σ θ.
  double objective(const Hmm& model, double log_likelihood) const {
    if (options_.smoothing == 0) return log_likelihood;
    double prior = 0;
    for (const double theta : model.theta()) prior += theta;
    return log_likelihood + options_.smoothing * prior;
  }

  // Runs EM from `model`, and leaves there the last model whose objective is known. False if the
  // watch stops it.
  bool run(Index restart, Hmm& model, BaumWelchRun& run, const BaumWelchWatch& watch) {
    Hmm next = model;
    std::vector<double> counts;
    for (Index iteration = 0; iteration <= options_.max_iterations; ++iteration) {
      const double log_likelihood = expect(next, counts);
      const double value = objective(next, log_likelihood);
      const bool first = run.objectives.empty();
      const double gain = first ? kInfinity : value - run.objectives.back();
      // Rounding alone can make it fall: at the top, by the last digits.
      if (gain >= 0) {
        model = next;
        run.objectives.push_back(value);
        run.log_likelihood = log_likelihood;
        if (watch && !watch({restart, iteration, value})) return false;
      }
      if (gain <= options_.tolerance * std::abs(value)) {
        run.converged = true;
        return true;
      }
      next = Hmm(model.alphabet(),
                 log_frequencies(model.distributions(), counts, options_.smoothing, model.theta(),
                                 options_.smoothing > 0 ? 0 : kNegligibleProbability));
    }
    return true;
  }

 private:
  std::span<const HmmSequence> sequences_;
  const BaumWelchOptions& options_;
  int threads_;
  std::vector<HmmScratch> scratch_;
  std::vector<double> sums_;
  SumBuffers buffers_;
};

// start(r) makes the start of run r.
template <class Start>
BaumWelchResult best_climb(Index runs, const Start& start, std::span<const HmmSequence> sequences,
                           const BaumWelchOptions& options, const BaumWelchWatch& watch) {
  Climb climb(sequences, options);
  BaumWelchResult result{start(0), 0, {}};
  for (Index r = 0; r < runs && !result.interrupted; ++r) {
    Hmm model = start(r);
    BaumWelchRun run;
    result.interrupted = !climb.run(r, model, run, watch);
    if (r == 0 || run.objectives.back() > result.runs[result.best].objectives.back()) {
      result.model = std::move(model);
      result.best = r;
    }
    result.runs.push_back(std::move(run));
  }
  return result;
}

}  // namespace

// Exponential variates, normalised.
Hmm random_hmm_start(const HmmAlphabet& alphabet, std::uint64_t seed, Index restart) {
  const Distributions distributions = Hmm::layout(alphabet);
  Random random(seed, restart);
  std::vector<double> counts(distributions.dimension());
  for (double& count : counts) count = -portable_log(1 - random.uniform());
  return Hmm(alphabet, log_frequencies(distributions, counts, 0));
}

BaumWelchResult baum_welch(const HmmAlphabet& alphabet, std::span<const HmmSequence> sequences,
                           const BaumWelchOptions& options, const BaumWelchWatch& watch) {
  check_options(options, sequences);
  return best_climb(
      options.restarts, [&](Index r) { return random_hmm_start(alphabet, options.seed, r); },
      sequences, options, watch);
}

BaumWelchResult baum_welch_from(std::span<const Hmm> starts, std::span<const HmmSequence> sequences,
                                const BaumWelchOptions& options, const BaumWelchWatch& watch) {
  check_options(options, sequences);
  if (starts.empty()) throw UsageError("expectation–maximisation needs a start");
  return best_climb(
      starts.size(), [&](Index r) { return starts[r]; }, sequences, options, watch);
}

}  // namespace trellis
