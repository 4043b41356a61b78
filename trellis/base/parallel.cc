#include "trellis/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// Runs loop(worker) for worker in [0, workers), each on one thread at a time. The loops fetch their
// work themselves, so it does not matter if fewer threads come than were asked for.
template <class Loop>
void run_workers(int workers, const Loop& loop) {
  // TBB complains on stderr when asked for more threads than it has.
  const auto available =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena arena(std::min(workers, static_cast<int>(available)));
  arena.execute([&] { tbb::parallel_for(0, workers, loop, tbb::simple_partitioner()); });
}

// Hands out 0 … n−1 in order; nothing more after stop().
class Dispenser {
 public:
  explicit Dispenser(Index n) : n_(n) {}
  // The beginning of the next `grain` items; n or more: none are left.
  Index take(Index grain) {
    return stopped_.load(std::memory_order_relaxed)
               ? n_
               : next_.fetch_add(grain, std::memory_order_relaxed);
  }
  void stop() { stopped_.store(true, std::memory_order_relaxed); }

 private:
  const Index n_;
  std::atomic<Index> next_{0};
  std::atomic<bool> stopped_{false};
};

// A chunk costs two passes over the vector (clearing, adding). An example is assumed to be worth
// about kCoordinates of them; then eight to sixty-four chunks keep the threads of a machine busy
// to the end. A power of two, so that the tree is complete.
Index num_chunks(Index n, Index dimension) {
  constexpr Index kCoordinates = 512, kFewest = 8, kMost = 64;
  const Index affordable = n / (dimension / kCoordinates + 1);
  return std::bit_floor(std::min(n, std::clamp(affordable, kFewest, kMost)));
}

class TreeSum {
 public:
  using Body = std::function<double(Index, Index, int, std::span<double>)>;

  TreeSum(Index n, std::span<double> sum, const Body& body)
      : n_(n), sum_(sum), body_(body), chunks_(num_chunks(n, sum.size())), nodes_(2 * chunks_) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
  }

  double run(int threads) {
    Dispenser chunks(chunks_);
    const auto loop = [&](int worker) {
      try {
        for (Index c = chunks.take(1); c < chunks_; c = chunks.take(1)) add_chunk(c, worker);
      } catch (...) {
        chunks.stop();
        throw;
      }
    };
    const auto workers = static_cast<int>(std::min(static_cast<Index>(threads), chunks_));
    workers == 1 ? loop(0) : run_workers(workers, loop);
    return nodes_[1].value;
  }

 private:
  // The nodes of the tree are numbered as in a heap: the children of i are 2i and 2i + 1, and the
  // leaves, one for each chunk, begin at chunks_.
  struct Node {
    double value = 0;
    double* partial = nullptr;
    std::atomic<bool> first_child_done{false};
  };

  void add_chunk(Index chunk, int worker) {
    Index node = chunks_ + chunk;
    // The leftmost leaf sums into the result: in a merger the left vector stays.
    nodes_[node].partial = chunk == 0 ? sum_.data() : take_buffer();
    nodes_[node].value = body_(n_ * chunk / chunks_, n_ * (chunk + 1) / chunks_, worker,
                               {nodes_[node].partial, sum_.size()});
    // Whoever completes the second child of a node merges the two, and goes up.
    for (; node > 1; node /= 2) {
      if (!nodes_[node / 2].first_child_done.exchange(true, std::memory_order_acq_rel)) return;
      merge(node & ~Index{1}, node / 2);
    }
  }

  void merge(Index left, Index parent) {
    double* into = nodes_[left].partial;
    double* from = nodes_[left + 1].partial;
    // Cleared while it is in the cache, for the next chunk.
    for (Index i = 0; i < sum_.size(); ++i) into[i] += from[i], from[i] = 0;
    nodes_[parent].partial = into;
    nodes_[parent].value = nodes_[left].value + nodes_[left + 1].value;
    const std::lock_guard lock(mutex_);
    free_.push_back(from);
  }

  double* take_buffer() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        double* buffer = free_.back();
        free_.pop_back();
        return buffer;
      }
    }
    auto buffer = std::make_unique<double[]>(sum_.size());
    const std::lock_guard lock(mutex_);
    buffers_.push_back(std::move(buffer));
    return buffers_.back().get();
  }

  const Index n_;
  const std::span<double> sum_;
  const Body& body_;
  const Index chunks_;
  std::vector<Node> nodes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<double[]>> buffers_;
  std::vector<double*> free_;  // all zero
};

}  // namespace

int resolve_threads(int requested) {
  if (requested < 0) {
    throw UsageError("the number of threads must not be negative, but is " +
                     std::to_string(requested));
  }
  return requested == 0 ? tbb::info::default_concurrency() : requested;
}

void parallel_for(Index n, int threads, const std::function<void(Index i, int worker)>& body) {
  const auto workers = static_cast<int>(std::min(static_cast<Index>(resolve_threads(threads)), n));
  if (workers <= 1) {
    for (Index i = 0; i < n; ++i) body(i, 0);
    return;
  }
  // Small enough that the last grains even out, large enough that fetching one costs nothing.
  const Index grain = std::max<Index>(1, n / (static_cast<Index>(workers) * 64));
  Dispenser items(n);
  run_workers(workers, [&](int worker) {
    try {
      for (Index begin = items.take(grain); begin < n; begin = items.take(grain)) {
        for (Index i = begin; i < std::min(n, begin + grain); ++i) body(i, worker);
      }
    } catch (...) {
      items.stop();
      throw;
    }
  });
}

double parallel_sum(Index n, int threads, std::span<double> sum,
                    const std::function<double(Index begin, Index end, int worker,
                                               std::span<double> partial)>& body) {
  if (n == 0) {
    std::fill(sum.begin(), sum.end(), 0.0);
    return 0;
  }
  return TreeSum(n, sum, body).run(resolve_threads(threads));
}

}  // namespace trellis
