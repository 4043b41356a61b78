// When a chain's priors are made likely along the way.
#pragma once

#include <cstdint>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {

enum class BetaPrior : std::uint8_t { kFixed, kSymmetric, kPerWord };
constexpr auto names_of(BetaPrior) {
  return Names{"prior of words", "fixed", "symmetric", "per-word"};
}

struct LdaSchedule {
  bool optimise_alpha = true;  // a value for each topic: Wallach, Mimno & McCallum (2009)
  BetaPrior beta = BetaPrior::kSymmetric;
  Index first = 20;   // sweep after which priors are looked at: before, counts say little of them
  Index every = 10;   // sweeps, from there on; 0: never
  Index last = 1000;  // sweep after which they are held, for a chain with one stationary law
};

// One sweep, and the priors if they are due: a function of the chain's state and of num_sweeps(),
// so that an interrupted chain continues as if it had not stopped.
void advance(LdaChain& chain, const LdaSchedule& schedule, int threads);

}  // namespace trellis::topics
