// Passes over the examples of a part oracle, spread over the threads, whose sums have the same bits
// for any number of threads.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

// The vectors of parts that one thread needs at a time: memory for a single example.
class PartMemory {
 public:
  static constexpr Index kVectors = 6;

  // The k-th vector, of `size` entries whose values are those that it was left with.
  std::span<double> get(Index k, Index size) {
    if (vectors_[k].size() < size) vectors_[k].resize(size);
    return std::span(vectors_[k]).first(size);
  }

 private:
  std::array<std::vector<double>, kVectors> vectors_;
};

// Serves one run, one call at a time. `oracle` must outlive it.
class PartPass {
 public:
  PartPass(const PartOracle& oracle, int threads, std::stop_token stop = {})
      : oracle_(oracle), threads_(resolve_threads(threads)), stop_(std::move(stop)) {
    for (int t = 0; t < threads_; ++t) scratch_.push_back(oracle.make_scratch());
    memory_.resize(static_cast<Index>(threads_));
  }

  // Adds up body(i, memory, scratch, partial) over all examples: what it adds to `partial` goes to
  // `sum` (overwritten), what it returns is summed and returned. Nothing, and meaningless sums, if
  // stop was requested meanwhile.
  template <class Body>
  std::optional<double> sum(std::span<double> sum, const Body& body) {
    std::atomic<bool> abandoned = false;
    const double value = parallel_sum(
        oracle_.num_examples(), threads_, sum,
        [&](Index begin, Index end, int worker, std::span<double> partial) {
          const Index own = static_cast<Index>(worker);
          double part = 0;
          for (Index i = begin; i < end; ++i) {
            if (stop_.stop_requested()) {
              abandoned.store(true, std::memory_order_relaxed);
              break;
            }
            part += body(i, memory_[own], *scratch_[own], partial);
          }
          return part;
        },
        buffers_);
    if (abandoned.load(std::memory_order_relaxed)) return std::nullopt;
    return value;
  }

  // body(i, memory, scratch) for all examples, to the end even if stop is requested.
  template <class Body>
  void each(const Body& body) {
    parallel_for(oracle_.num_examples(), threads_, [&](Index i, int worker) {
      const Index own = static_cast<Index>(worker);
      body(i, memory_[own], *scratch_[own]);
    });
  }

  int threads() const { return threads_; }

 private:
  const PartOracle& oracle_;
  int threads_;
  std::stop_token stop_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  // one per thread
  std::vector<PartMemory> memory_;
  SumBuffers buffers_;
};

}  // namespace trellis
