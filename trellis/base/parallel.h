// Parallel loops over oneTBB, and a reduction whose bits do not depend on the number of threads.
#pragma once

#include <functional>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

// The number of threads that `requested` stands for: 0 means all cores.
int resolve_threads(int requested);

// Calls body(i, worker) for i in [0, n), on `threads` threads; worker < threads says whose scratch
// memory to use. The order is unspecified; an exception in a body is rethrown here.
void parallel_for(Index n, int threads, const std::function<void(Index i, int worker)>& body);

// Sums body(begin, end, worker, partial) over a partition of [0, n) into `sum` (which is
// overwritten). The partition and the tree of additions depend on n and sum.size() alone, so the
// result has the same bits for every number of threads. `partial` is zeroed before each call.
// Returns the sum of the bodies' values, added along the same tree.
// Memory: about (threads + log2(chunks)) vectors of sum.size().
double parallel_sum(Index n, int threads, std::span<double> sum,
                    const std::function<double(Index begin, Index end, int worker,
                                               std::span<double> partial)>& body);

}  // namespace trellis
