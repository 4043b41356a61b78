// The private data of a cell's sampler (cell_sampler.h): topics from the view of the current
// document.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

// Belongs to one worker and is filled for each cell.
struct CellScratch {
  CellScratch(Index topics, Index parts);

  // Begins a cell.
  void begin(std::span<const double> alphas, std::span<const double> beta_sums,
             std::span<const std::uint32_t> round_totals);

  // At k of a part: place = part * padded + k.
  float inverse_of(Index place, std::uint32_t total) const {
    return 1 / (static_cast<float>(total) + beta_sum[place]);
  }

  template <class T>
  using Aligned = hwy::AlignedFreeUniquePtr<T[]>;

  Index num_topics, num_parts, padded;
  Aligned<float> alpha;  // α_k
  // One part after another:
  Aligned<float> beta_sum, inverse;        // β̄_k and 1 / (n_k + β̄_k)
  Aligned<float> weight;                   // c_k = (n_dk + α_k) / (n_k + β̄_k), zero beyond K
  Aligned<float> running;                  // sums of weights, by lane; or terms of a list
  std::vector<std::uint32_t> totals;       // n_k, K for each part
  std::vector<std::uint32_t> in_document;  // n_dk
  std::vector<std::uint64_t> present;      // bits: topics that it has had since it was opened
  std::vector<float> sums;                 // along a list, one for each eight entries
  std::vector<double> mass;                // Σ_k c_k, by part
};

}  // namespace trellis::topics
