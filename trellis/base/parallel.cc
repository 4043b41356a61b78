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

// Orders memory: the loops see all writes before them, and the code after them sees their writes.
// TBB ensures this anyway, but the thread sanitizer cannot see into its binary library.
class Order {
 public:
  void begin() { counter_.store(1, std::memory_order_release); }
  void end() { counter_.load(std::memory_order_acquire); }

  class Loop {
   public:
    explicit Loop(Order& order) : counter_(order.counter_) {
      counter_.load(std::memory_order_acquire);
    }
    ~Loop() { counter_.fetch_add(1, std::memory_order_release); }

   private:
    std::atomic<int>& counter_;
  };

 private:
  std::atomic<int> counter_{0};
};

// Runs loop(worker) for worker in [0, workers), each on one thread at a time. The loops fetch their
// work themselves, so the result is right with fewer threads than requested, too.
template <class Loop>
void run_workers(int workers, const Loop& loop) {
  Order order;
  const auto ordered_loop = [&](int worker) {
    const Order::Loop seen(order);
    loop(worker);
  };
  // TBB prints a warning on stderr if it has fewer threads than requested.
  const auto available =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena arena(std::min(workers, static_cast<int>(available)));
  order.begin();
  arena.execute([&] { tbb::parallel_for(0, workers, ordered_loop, tbb::simple_partitioner()); });
  order.end();
}

// Returns 0 … n−1 in order; nothing more after stop().
class Dispenser {
 public:
  explicit Dispenser(Index n) : n_(n) {}
  // The first of the next `grain` items; a value ≥ n means that no items remain.
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

// Each chunk costs one pass over the vector; we assume that one example costs as much as
// kCoordinates coordinates. At least eight chunks keep all threads busy until the end. A power of
// two makes the tree complete.
Index num_chunks(Index n, Index dimension) {
  constexpr Index kCoordinates = 512, kFewest = 8, kMost = 64;
  const Index affordable = n / (dimension / kCoordinates + 1);
  return std::bit_floor(std::min(n, std::clamp(affordable, kFewest, kMost)));
}

// into += from, from = 0. A chunk of sparse examples changes a small part of a long vector, so
// zeros are not written. (A skipped addition of 0 could only turn −0 into 0.)
void move_into(std::span<double> into, std::span<double> from) {
  constexpr Index kBlock = 32;
  for (Index begin = 0; begin < from.size(); begin += kBlock) {
    const Index end = std::min(begin + kBlock, from.size());
    std::uint64_t bits = 0;
    for (Index i = begin; i < end; ++i) bits |= std::bit_cast<std::uint64_t>(from[i]);
    if (bits == 0) continue;
    for (Index i = begin; i < end; ++i) into[i] += from[i], from[i] = 0;
  }
}

}  // namespace

// All vectors in the pool are zero.
struct SumBuffers::Pool {
  using Buffer = std::unique_ptr<double[]>;

  Buffer take() {
    const std::lock_guard lock(mutex);
    if (free.empty()) return std::make_unique<double[]>(dimension);
    Buffer buffer = std::move(free.back());
    free.pop_back();
    return buffer;
  }
  void give_back(Buffer buffer) {
    const std::lock_guard lock(mutex);
    free.push_back(std::move(buffer));
  }

  std::mutex mutex;
  Index dimension = 0;
  std::vector<Buffer> free;
};

SumBuffers::SumBuffers() : pool_(std::make_unique<Pool>()) {}
SumBuffers::~SumBuffers() = default;
SumBuffers::SumBuffers(SumBuffers&&) noexcept = default;
SumBuffers& SumBuffers::operator=(SumBuffers&&) noexcept = default;

class TreeSum {
 public:
  TreeSum(Index n, std::span<double> sum, const SumBody& body, SumBuffers& buffers)
      : n_(n),
        sum_(sum),
        body_(body),
        pool_(*buffers.pool_),
        chunks_(num_chunks(n, sum.size())),
        nodes_(2 * chunks_) {
    if (pool_.dimension != sum.size()) pool_.free.clear();
    pool_.dimension = sum.size();
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
  // leaves, one for each chunk, begin at chunks_. The leftmost node of each level has no buffer: it
  // sums into the result, because a merge keeps the left vector.
  struct Node {
    double value = 0;
    SumBuffers::Pool::Buffer buffer;
    std::atomic<bool> one_child_done{false};
  };

  std::span<double> partial(const Node& node) const {
    return node.buffer == nullptr ? sum_ : std::span(node.buffer.get(), sum_.size());
  }

  void add_chunk(Index chunk, int worker) {
    Index i = chunks_ + chunk;
    Node& leaf = nodes_[i];
    if (chunk > 0) leaf.buffer = pool_.take();
    leaf.value = body_(n_ * chunk / chunks_, n_ * (chunk + 1) / chunks_, worker, partial(leaf));
    // The thread that completes the second child of a node merges both and moves up.
    for (; i > 1; i /= 2) {
      if (!nodes_[i / 2].one_child_done.exchange(true, std::memory_order_acq_rel)) return;
      merge(nodes_[i & ~Index{1}], nodes_[i | 1], nodes_[i / 2]);
    }
  }

  void merge(Node& left, Node& right, Node& parent) {
    move_into(partial(left), partial(right));
    pool_.give_back(std::move(right.buffer));
    parent.buffer = std::move(left.buffer);
    parent.value = left.value + right.value;
  }

  const Index n_;
  const std::span<double> sum_;
  const SumBody& body_;
  SumBuffers::Pool& pool_;
  const Index chunks_;
  std::vector<Node> nodes_;
};

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
  // Small grains balance the threads at the end; large grains cost less to fetch.
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

double parallel_sum(Index n, int threads, std::span<double> sum, const SumBody& body,
                    SumBuffers& buffers) {
  if (n == 0) {
    std::fill(sum.begin(), sum.end(), 0.0);
    return 0;
  }
  return TreeSum(n, sum, body, buffers).run(resolve_threads(threads));
}

double parallel_sum(Index n, int threads, std::span<double> sum, const SumBody& body) {
  SumBuffers buffers;
  return parallel_sum(n, threads, sum, body, buffers);
}

}  // namespace trellis
