// The fits of a cross-validation, side by side, and counted for those who watch.
#pragma once

#include <functional>
#include <mutex>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"

namespace trellis {

class FoldFits {
 public:
  // `fits`: how many there will be; 0: not known. The others must outlive it.
  FoldFits(const Stages& stages, const TrainEvents& events, int threads, Index fits)
      : stages_(stages), events_(events), threads_(resolve_threads(threads)), fits_(fits) {}

  // Calls work(job, its share of the threads) for each job below `jobs`, none of them after a stop
  // was requested. False: one was interrupted, which work says by false, or not begun.
  bool run(Index jobs, const std::function<bool(Index job, int threads)>& work) const;
  // One more is done. From any thread.
  void count();

 private:
  const Stages& stages_;
  const TrainEvents& events_;
  int threads_;
  Index fits_;
  std::mutex mutex_;
  Index done_ = 0;
};

}  // namespace trellis
