#include "trellis/frame/training/fold_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace trellis {

bool FoldFits::run(Index jobs, const std::function<bool(Index job, int threads)>& work) const {
  const int share = std::max(1, threads_ / static_cast<int>(jobs));
  std::atomic<bool> stopped = false;
  parallel_for(jobs, threads_, [&](Index job, int) {
    if (stages_.stop_requested() || !work(job, share)) stopped = true;
  });
  return !stopped;
}

void FoldFits::count() {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (events_.on_progress) {
    const std::string of = fits_ > 0 ? fmt::format(" of {}", fits_) : "";
    events_.on_progress(fmt::format("cross-validation: {}{} fits", done_, of));
  }
}

}  // namespace trellis
