// The weights of sparse attributes: each attribute a owns a *row*, a contiguous block of weights,
// one for each target (a label or a transition) that it can score.
//
//   score[target] += value · w[begin(a) + j]      for the j-th target of a
//
// Rows hold all targets or only those that were observed with the attribute, as CRFsuite does: on
// text that is one or two of twenty labels for most attributes, and nearly all for the few frequent
// ones. The latter are *dense*: they come first, hold every target, and are scored by vector
// operations; targets that were not observed are masked, so that their weights stay 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

using AttributeId = std::uint32_t;
inline constexpr AttributeId kNoAttribute = ~AttributeId{0};

// A view: the arrays belong to a training set or to a mapped model file. Row a is
// targets[begin[a] … begin[a+1]), ascending; begin has one entry more than there are attributes.
class AttributeRows {
 public:
  AttributeRows() = default;
  // The first `num_dense` rows hold all targets. `masks` has ⌈num_targets/64⌉ words for each of
  // them, a bit for each target that may have a weight; it may be empty where nothing will be
  // learned.
  AttributeRows(std::span<const std::uint64_t> begin, std::span<const std::uint32_t> targets,
                Index num_targets, Index num_dense = 0, std::span<const std::uint64_t> masks = {})
      : begin_(begin),
        targets_(targets),
        masks_(masks),
        num_targets_(num_targets),
        num_dense_(num_dense) {}

  Index num_attributes() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  Index num_weights() const { return targets_.size(); }
  Index num_targets() const { return num_targets_; }
  Index begin(AttributeId a) const { return begin_[a]; }
  Index size(AttributeId a) const { return begin_[a + 1] - begin_[a]; }
  std::span<const std::uint32_t> targets(AttributeId a) const {
    return targets_.subspan(begin_[a], size(a));
  }

  // Where the weight of a target stands among those of all rows; kNoWeight: row a has none for it.
  static constexpr Index kNoWeight = ~Index{0};
  Index find(AttributeId a, Index target) const {
    const std::span<const std::uint32_t> row = targets(a);
    const auto found = std::lower_bound(row.begin(), row.end(), target);
    if (found == row.end() || *found != target) return kNoWeight;
    return begin(a) + static_cast<Index>(found - row.begin());
  }

  bool dense(AttributeId a) const { return a < num_dense_; }
  Index dense_begin(AttributeId a) const {
    return a * num_targets_;
  }  // begin(a), without a look-up
  const std::uint64_t* mask(AttributeId a) const {
    return masks_.data() + a * mask_words(num_targets_);
  }
  static Index mask_words(Index num_targets) { return (num_targets + 63) / 64; }

  // Weights of dense rows that are masked.
  Index num_padding() const {
    if (masks_.empty()) return 0;
    Index features = 0;
    for (const std::uint64_t word : masks_) features += static_cast<Index>(std::popcount(word));
    return num_dense_ * num_targets_ - features;
  }

  // Starts to load where row a begins, then (some attributes later) row a of `weights`, for a
  // reader that will come to it soon. Inlined by force: gcc 12 takes a function that only
  // prefetches for one without effect, and drops the call.
  [[gnu::always_inline]] void prefetch_begin(AttributeId a) const {
    __builtin_prefetch(begin_.data() + a);
  }
  [[gnu::always_inline]] void prefetch(AttributeId a, const double* weights) const {
    const Index first = begin_[a];
    __builtin_prefetch(targets_.data() + first);
    __builtin_prefetch(weights + first);
  }

  // scores += value · (row a of w), for a row that is not dense; `w` holds the weights of all rows.
  void add_scores(AttributeId a, double value, const double* w, double* scores) const {
    const Index first = begin_[a];
    const Index n = begin_[a + 1] - first;
    const std::uint32_t* target = targets_.data() + first;
    const double* row = w + first;
    for (Index j = 0; j < n; ++j) scores[target[j]] += value * row[j];
  }

  // row += value · z[targets of a], for a row that is not dense; `row` is the block of a alone.
  void add_features(AttributeId a, double value, const double* z, double* row) const {
    const Index first = begin_[a];
    const Index n = begin_[a + 1] - first;
    const std::uint32_t* target = targets_.data() + first;
    for (Index j = 0; j < n; ++j) row[j] += value * z[target[j]];
  }

 private:
  std::span<const std::uint64_t> begin_;
  std::span<const std::uint32_t> targets_;
  std::span<const std::uint64_t> masks_;
  Index num_targets_ = 0;
  Index num_dense_ = 0;
};

}  // namespace trellis
