#include "trellis/topics/wordlda/word_lda.h"

#include "trellis/base/stopwatch.h"

namespace trellis::topics {

void WordLda::start(int threads) {
  stages_.let_in(chain_, 0);
  chain_.start(threads);
}

void WordLda::advance(const LdaSchedule& schedule, const SmoothingSchedule& smoothing,
                      const SmoothingOptions& options, int threads) {
  if (chain_.num_sweeps() > 0 && stages_.begins_at(chain_.num_sweeps())) {
    stages_.let_in(chain_, chain_.num_sweeps());
  }
  topics::advance(chain_, schedule, threads);
  const Index sweep = chain_.num_sweeps();
  const bool due = smoothing.every > 0 && sweep >= smoothing.first &&
                   (sweep - smoothing.first) % smoothing.every == 0;
  // Newcomers are to find what is known of their words' kin.
  const bool before_newcomers = smoothing.every > 0 && stages_.staged() && stages_.begins_at(sweep);
  if (!due && !before_newcomers) return;
  const Stopwatch watch;
  smooth(chain_, words_, options, smoothers_, threads);
  smoothing_seconds_ += watch.seconds();
}

void WordLda::restore(std::span<const double> common, std::span<const double> of_topics,
                      Index sweeps) {
  smoothers_.restore(common, of_topics);
  // Those whose turn it is after these sweeps come in with the next.
  stages_.let_in(chain_, sweeps > 0 ? sweeps - 1 : 0);
}

}  // namespace trellis::topics
