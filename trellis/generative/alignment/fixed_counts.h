// Sums of probabilities that do not depend on the order in which they are added: numbers of fixed
// point, 2^−32 apart, up to 2^32. So any number of threads may add to them, and the bits are the
// same.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class FixedCounts {
 public:
  explicit FixedCounts(Index size = 0) : counts_(size, 0) {}

  Index size() const { return counts_.size(); }
  void clear() { std::fill(counts_.begin(), counts_.end(), 0); }
  double operator[](Index x) const { return static_cast<double>(counts_[x]) * kUnit; }

  // 0 ≤ p; safe among threads.
  void add(Index x, double p) {
    std::atomic_ref(counts_[x]).fetch_add(rounded(p), std::memory_order_relaxed);
  }
  // The same where no other thread adds.
  void add_alone(Index x, double p) { counts_[x] += rounded(p); }

  static constexpr double kLeast = 0x1p-33;  // anything below is rounded to nothing

 private:
  static constexpr double kUnit = 0x1p-32;
  // As lround() has it, but for halves of a unit less one bit, and in two instructions.
  static std::uint64_t rounded(double p) {
    return static_cast<std::uint64_t>(p * 0x1p32 + 0.5);  // NOLINT(bugprone-incorrect-roundings)
  }

  std::vector<std::uint64_t> counts_;
};

}  // namespace trellis
