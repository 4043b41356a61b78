// Parallel loops over oneTBB, and a reduction whose bits do not depend on the number of threads.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

// The number of threads that `requested` stands for: 0 means all cores.
int resolve_threads(int requested);

// Calls body(i, worker) for i in [0, n), on `threads` threads; worker < threads selects the scratch
// memory. The order is unspecified; an exception in a body is rethrown here.
void parallel_for(Index n, int threads, const std::function<void(Index i, int worker)>& body);

// The vectors that parallel_sum accumulates into, kept from call to call: fresh ones cost a page
// fault for every 512 coordinates. Belongs to the caller and serves one call at a time.
class SumBuffers {
 public:
  SumBuffers();
  ~SumBuffers();
  SumBuffers(SumBuffers&&) noexcept;
  SumBuffers& operator=(SumBuffers&&) noexcept;

 private:
  friend class TreeSum;
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

// Sums body(begin, end, worker, partial) over a partition of [0, n) into `sum` (which is
// overwritten). The partition and the tree of additions depend on n and sum.size() alone, so the
// result has the same bits for every number of threads. `partial` is zeroed before each call.
// Returns the sum of the bodies' values, added along the same tree.
//
// Eight to sixty-four chunks, as the size of the vector allows; each costs a pass over it, in which
// stretches that a chunk has not touched are only read. Memory: about threads + log2(chunks)
// vectors of sum.size(). An exception in a body is rethrown here.
using SumBody =
    std::function<double(Index begin, Index end, int worker, std::span<double> partial)>;
double parallel_sum(Index n, int threads, std::span<double> sum, const SumBody& body);
double parallel_sum(Index n, int threads, std::span<double> sum, const SumBody& body,
                    SumBuffers& buffers);

}  // namespace trellis
