// Runs the fits of a cross-validation side by side and reports how many are done.
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
  // `fits`: their total number; 0: unknown. The other arguments must outlive the object.
  FoldFits(const Stages& stages, const TrainEvents& events, int threads, Index fits)
      : stages_(stages), events_(events), threads_(resolve_threads(threads)), fits_(fits) {}

  // Calls work(job, its share of the threads) for each job below `jobs`; starts none after a stop
  // request. Returns false if a job returned false (interrupted) or was not started.
  bool run(Index jobs, const std::function<bool(Index job, int threads)>& work) const;
  // Counts one more finished fit. Thread-safe.
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
