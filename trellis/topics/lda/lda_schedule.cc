#include "trellis/topics/lda/lda_schedule.h"

#include "trellis/topics/lda/hyperparameters.h"

namespace trellis::topics {

void advance(LdaChain& chain, const LdaSchedule& schedule, int threads) {
  chain.sweep(threads);
  const Index sweep = chain.num_sweeps();
  if (schedule.every == 0 || sweep < schedule.first || sweep > schedule.last ||
      (sweep - schedule.first) % schedule.every != 0) {
    return;
  }
  if (schedule.optimise_alpha) optimise_alpha(chain);
  if (schedule.beta == BetaPrior::kSymmetric) optimise_symmetric_beta(chain);
  if (schedule.beta == BetaPrior::kPerWord) optimise_beta(chain);
}

}  // namespace trellis::topics
