// Passes over the examples of a part oracle, in parallel, whose sums have the same bits for any
// number of threads: the terms of examples are added in the order of the examples. In addition to
// the sums this needs the slopes of a few examples for each thread, and no vector of weights.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

// The vectors of parts that one thread needs at a time: memory for a single example.
class PartMemory {
 public:
  static constexpr Index kVectors = 6;

  // The k-th vector, of `size` entries, which keep their last values.
  std::span<double> get(Index k, Index size) {
    if (vectors_[k].size() < size) vectors_[k].resize(size);
    return std::span(vectors_[k]).first(size);
  }

 private:
  std::array<std::vector<double>, kVectors> vectors_;
};

// The terms that one example adds to the sums of a pass.
struct PartTerms {
  static constexpr Index kSlopes = 2;
  static constexpr Index kNumbers = 3;

  std::array<SparseVector, kSlopes> slopes;
  std::array<double, kNumbers> numbers;

  void clear() {
    for (SparseVector& slope : slopes) slope.clear();
    numbers.fill(0.0);
  }
};

// For one run, and one call at a time. `oracle` must outlive it.
class PartPass {
 public:
  using Totals = std::array<double, PartTerms::kNumbers>;

  PartPass(const PartOracle& oracle, int threads, std::stop_token stop = {})
      : oracle_(oracle), threads_(resolve_threads(threads)), stop_(std::move(stop)) {
    for (int t = 0; t < threads_; ++t) scratch_.push_back(oracle.make_scratch());
    memory_.resize(static_cast<Index>(threads_));
    terms_.resize(threads_ == 1 ? 1 : kAhead * static_cast<Index>(threads_));
  }

  // Calls body(i, memory, scratch, terms) for all examples, and adds up the terms in their order:
  // slopes[k] into sums[k] (overwritten; at most kSlopes slopes), and the numbers, which it
  // returns. nullopt, with invalid sums, if stop was requested meanwhile.
  template <class Body>
  std::optional<Totals> sum(std::span<const std::span<double>> sums, const Body& body) {
    for (const std::span<double> sum : sums) std::fill(sum.begin(), sum.end(), 0.0);
    Totals totals{};
    const Index n = oracle_.num_examples();
    for (Index begin = 0; begin < n; begin += terms_.size()) {
      const Index count = std::min(terms_.size(), n - begin);
      if (!fill_terms(begin, count, body)) return std::nullopt;
      for (Index b = 0; b < count; ++b) add(terms_[b], sums, totals);
    }
    return totals;
  }

  // The numbers only.
  template <class Body>
  std::optional<Totals> sum(const Body& body) {
    return sum(std::span<const std::span<double>>(), body);
  }

  // Calls body(i, memory, scratch) for all examples, to the end even if stop is requested.
  template <class Body>
  void each(const Body& body) {
    parallel_for(oracle_.num_examples(), threads_, [&](Index i, int worker) {
      const Index own = static_cast<Index>(worker);
      body(i, memory_[own], *scratch_[own]);
    });
  }

  int threads() const { return threads_; }

 private:
  // Examples per thread whose terms are computed before they are added: enough that threads do not
  // wait for each other.
  static constexpr Index kAhead = 16;

  // False if stop was requested.
  template <class Body>
  bool fill_terms(Index begin, Index count, const Body& body) {
    std::atomic<bool> abandoned = false;
    parallel_for(count, threads_, [&](Index b, int worker) {
      if (stop_.stop_requested()) abandoned.store(true, std::memory_order_relaxed);
      if (abandoned.load(std::memory_order_relaxed)) return;
      const Index own = static_cast<Index>(worker);
      terms_[b].clear();
      body(begin + b, memory_[own], *scratch_[own], terms_[b]);
    });
    return !abandoned.load(std::memory_order_relaxed);
  }

  static void add(const PartTerms& terms, std::span<const std::span<double>> sums, Totals& totals) {
    for (Index k = 0; k < sums.size(); ++k) terms.slopes[k].add_to(sums[k], 1);
    for (Index k = 0; k < totals.size(); ++k) totals[k] += terms.numbers[k];
  }

  const PartOracle& oracle_;
  int threads_;
  std::stop_token stop_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  // one per thread
  std::vector<PartMemory> memory_;
  std::vector<PartTerms> terms_;  // of the examples that are being added
};

}  // namespace trellis
