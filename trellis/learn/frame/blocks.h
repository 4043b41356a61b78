// Loops and sums over long dense vectors in blocks of fixed size, spread over the threads. Block
// sums are added in order, so the bits of a sum depend on the length alone. Several operations on a
// block in one loop find it in the cache: that is how passes over memory are saved.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"

namespace trellis {

// The coordinates [begin, end).
struct Block {
  Index begin;
  Index end;

  std::span<double> of(std::span<double> x) const { return x.subspan(begin, end - begin); }
  std::span<const double> of(std::span<const double> x) const {
    return x.subspan(begin, end - begin);
  }
  std::span<double> of(std::vector<double>& x) const { return of(std::span<double>(x)); }
  std::span<const double> of(const std::vector<double>& x) const {
    return of(std::span<const double>(x));
  }
  // Σ term(j) over the block, in eight interleaved partial sums.
  template <class Term>
  double sum(const Term& term) const {
    constexpr Index kLanes = 8;
    double lane[kLanes] = {};
    Index j = begin;
    for (; j + kLanes <= end; j += kLanes) {
      for (Index l = 0; l < kLanes; ++l) lane[l] += term(j + l);
    }
    for (Index l = 0; j < end; ++j, ++l) lane[l] += term(j);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
};

class Blocks {
 public:
  explicit Blocks(Index size, int threads = 1)
      : size_(size),
        num_blocks_((size + kBlock - 1) / kBlock),
        threads_(num_blocks_ < kWorthSharing ? 1 : resolve_threads(threads)) {}

  // action(block) for all blocks.
  template <class Action>
  void each(const Action& action) const {
    parallel_for(num_blocks_, threads_, [&](Index b, int) { action(block(b)); });
  }

  // Σ body(block), where the body returns K numbers.
  template <std::size_t K, class Body>
  std::array<double, K> sums(const Body& body) const {
    std::vector<std::array<double, K>> partial(num_blocks_);
    parallel_for(num_blocks_, threads_, [&](Index b, int) { partial[b] = body(block(b)); });
    std::array<double, K> total{};
    for (const std::array<double, K>& part : partial) {
      for (std::size_t k = 0; k < K; ++k) total[k] += part[k];
    }
    return total;
  }

  // Σ body(block), where the body returns a number.
  template <class Body>
  double sum(const Body& body) const {
    return sums<1>([&](Block b) { return std::array<double, 1>{body(b)}; })[0];
  }

 private:
  static constexpr Index kBlock = 4096;  // three vectors' blocks fit a level-2 cache with ease
  static constexpr Index kWorthSharing = 8;

  Block block(Index b) const { return {b * kBlock, std::min(size_, (b + 1) * kBlock)}; }

  Index size_;
  Index num_blocks_;
  int threads_;  // one where waking a second costs more than it saves
};

}  // namespace trellis
