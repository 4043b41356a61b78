#include "trellis/generative/alignment/gibbs.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "trellis/base/parallel.h"
#include "trellis/generative/alignment/entry_index.h"

namespace trellis {
namespace {

// Draws of the aligner, for all pairs.
void begin_with(const Bitext& bitext, const WordAligner& start, bool reverse, std::uint64_t seed,
                GibbsChain& chain) {
  WordAligner::Scratch scratch;
  std::vector<Label> a;
  for (Index k = 0; k < bitext.size(); ++k) {
    if (bitext[k].cells() == 0) continue;
    Random random(seed, k);
    start.sample(bitext[k], reverse, random, scratch, a);
    chain.start(k, a);
  }
}

void add(std::span<const std::uint32_t> counts, std::vector<double>& sums) {
  sums.resize(counts.size(), 0.0);
  for (Index x = 0; x < counts.size(); ++x) sums[x] += counts[x];
}

// What the chains of one direction have counted.
struct Sums {
  std::vector<double> lexical, null_lexical, jumps, fertilities;
  double sweeps = 0;

  void add_state(const GibbsChain& chain) {
    add(chain.lexical(), lexical);
    add(chain.null_lexical(), null_lexical);
    add(chain.jumps(), jumps);
    add(chain.fertilities(), fertilities);
    sweeps += 1;
  }
  void add_sums(const Sums& other) {
    const auto plus = [](const std::vector<double>& from, std::vector<double>& to) {
      to.resize(from.size(), 0.0);
      for (Index x = 0; x < from.size(); ++x) to[x] += from[x];
    };
    plus(other.lexical, lexical);
    plus(other.null_lexical, null_lexical);
    plus(other.jumps, jumps);
    plus(other.fertilities, fertilities);
    sweeps += other.sweeps;
  }
};

GibbsDirection estimate(const Sums& sums) {
  GibbsDirection found;
  const auto mean = [&](const std::vector<double>& from, std::vector<double>& to) {
    for (const double sum : from) to.push_back(sum / sums.sweeps);
  };
  mean(sums.lexical, found.lexical);
  mean(sums.null_lexical, found.null_lexical);
  mean(sums.jumps, found.jumps);
  std::vector<double> fertilities;
  mean(sums.fertilities, fertilities);
  double total = 0;
  for (double& c : found.jumps) total += c += GibbsChain::kJumpPrior;
  for (double& c : found.jumps) c /= total;
  found.fertilities =
      fertility_table(fertilities, GibbsChain::kMostFertile, GibbsChain::kFertilityPrior);
  return found;
}

}  // namespace

GibbsEstimate gibbs(const Bitext& bitext, const WordAligner& start, const GibbsTraining& training,
                    const std::function<bool()>& swept) {
  const LexiconView& lexicon = start.lexicon();
  const EntryIndex index(lexicon.row_begin, lexicon.targets);
  const Index runs = 2 * training.chains;
  std::vector<Sums> sums(runs);
  std::atomic<bool> stopped = false;
  std::mutex telling;
  parallel_for(runs, training.threads, [&](Index run, int) {
    GibbsOptions options = training.chain;
    options.reverse = run % 2 == 1;
    options.seed = training.seed * 0x100000001B3u + run;
    GibbsChain chain(bitext, index, lexicon.targets.size(), options);
    begin_with(bitext, start, options.reverse, options.seed, chain);
    for (Index s = 0; s < training.burn_in + training.sweeps && !stopped; ++s) {
      chain.sweep();
      if (s >= training.burn_in) sums[run].add_state(chain);
      const std::lock_guard lock(telling);
      if (swept && !swept()) stopped = true;
    }
  });
  if (stopped) return {};
  for (Index run = 2; run < runs; ++run) sums[run % 2].add_sums(sums[run]);
  return {estimate(sums[0]), estimate(sums[1])};
}

}  // namespace trellis
