// The weights of a parser by number, during training. An arc feature has one weight; a label
// feature has a row of weights, one for each label that it occurs with on a true arc:
//
//   w = (weights of arc features | rows of label features)
//
// Features that occur on no true arc have no weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::parse {

class FeatureNumbers {
 public:
  static constexpr std::uint32_t kNone = FingerprintTable::kNone;

  // Building: pass all features of true arcs, then call finish().
  void see_arc_feature(std::uint64_t fingerprint);
  void see_label_feature(std::uint64_t fingerprint, std::uint32_t label);
  void finish(Index min_count);

  Index num_arc_weights() const { return arcs_.size(); }
  Index num_label_rows() const { return begin_.size() - 1; }
  Index dimension() const { return num_arc_weights() + targets_.size(); }

  std::uint32_t arc_feature(std::uint64_t fingerprint) const { return arcs_.find(fingerprint); }
  std::uint32_t label_row(std::uint64_t fingerprint) const { return rows_.find(fingerprint); }
  [[gnu::always_inline]] void prefetch_arc_feature(std::uint64_t fp) const { arcs_.prefetch(fp); }
  [[gnu::always_inline]] void prefetch_label_row(std::uint64_t fp) const { rows_.prefetch(fp); }
  // The labels of a row, ascending, and the position of its first weight in w.
  std::span<const std::uint32_t> targets(Index row) const {
    return std::span(targets_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  }
  Index row_begin(Index row) const { return num_arc_weights() + begin_[row]; }

  std::vector<std::uint64_t> arc_fingerprints() const { return arcs_.fingerprints(); }
  std::vector<std::uint64_t> row_fingerprints() const { return rows_.fingerprints(); }

 private:
  FingerprintTable arcs_, rows_;
  std::vector<std::uint32_t> arc_counts_, row_counts_;
  std::vector<std::uint64_t> seen_;  // row << 32 | label
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> targets_;
};

}  // namespace trellis::parse
