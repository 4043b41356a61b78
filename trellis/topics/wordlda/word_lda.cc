#include "trellis/topics/wordlda/word_lda.h"

#include "trellis/base/stopwatch.h"

namespace trellis::topics {
namespace {

constexpr Index kThorough = 10;

}  // namespace

void WordLda::start(int threads) {
  stages_.leave_out(chain_, 0);
  chain_.start(threads);
}

void WordLda::advance(const LdaSchedule& schedule, const SmoothingSchedule& smoothing,
                      const SmoothingOptions& options, int threads) {
  stages_.let_in(chain_, documents_, threads);
  topics::advance(chain_, schedule, threads);
  const Index sweep = chain_.num_sweeps();
  const bool due = smoothing.every > 0 && sweep >= smoothing.first &&
                   (sweep - smoothing.first) % smoothing.every == 0;
  // Newcomers are to find what is known of their words' kin.
  const bool before_newcomers = smoothing.every > 0 && stages_.staged() && stages_.begins_at(sweep);
  if (!due && !before_newcomers) return;
  const Stopwatch watch;
  SmoothingOptions look = options;
  if (before_newcomers) {  // it is what they have to go by, and there are few such looks
    look.evaluations *= kThorough;
    look.tolerance /= kThorough;
  }
  smooth(chain_, words_, look, smoothers_, threads);
  smoothing_seconds_ += watch.seconds();
}

void WordLda::restore(std::span<const double> common, std::span<const double> of_topics,
                      Index sweeps) {
  smoothers_.restore(common, of_topics);
  stages_.leave_out(chain_, sweeps);
}

}  // namespace trellis::topics
