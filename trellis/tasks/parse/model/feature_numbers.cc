#include "trellis/tasks/parse/model/feature_numbers.h"

#include <algorithm>
#include <utility>

namespace trellis::parse {
namespace {

void count_feature(FingerprintTable& table, std::vector<std::uint32_t>& counts, std::uint64_t fp) {
  const auto [id, inserted] = table.insert(fp);
  if (inserted) counts.push_back(0);
  ++counts[id];
}

// Those with a sufficient count, in the order of their first occurrence.
FingerprintTable frequent(const FingerprintTable& table, std::span<const std::uint32_t> counts,
                          Index min_count) {
  FingerprintTable kept;
  const std::vector<std::uint64_t> fingerprints = table.fingerprints();
  for (Index id = 0; id < counts.size(); ++id) {
    if (counts[id] >= min_count) kept.insert(fingerprints[id]);
  }
  return kept;
}

}  // namespace

void FeatureNumbers::see_arc_feature(std::uint64_t fingerprint) {
  count_feature(arcs_, arc_counts_, fingerprint);
}

void FeatureNumbers::see_label_feature(std::uint64_t fingerprint, std::uint32_t label) {
  count_feature(rows_, row_counts_, fingerprint);
  seen_.push_back(std::uint64_t{rows_.find(fingerprint)} << 32 | label);
}

void FeatureNumbers::finish(Index min_count) {
  if (min_count > 1) {
    arcs_ = frequent(arcs_, arc_counts_, min_count);
    const std::vector<std::uint64_t> fingerprints = rows_.fingerprints();
    rows_ = frequent(rows_, row_counts_, min_count);
    std::vector<std::uint64_t> kept;
    for (const std::uint64_t pair : seen_) {
      const std::uint32_t row = rows_.find(fingerprints[pair >> 32]);
      if (row != kNone) kept.push_back(std::uint64_t{row} << 32 | (pair & 0xFFFFFFFFu));
    }
    seen_ = std::move(kept);
  }
  std::sort(seen_.begin(), seen_.end());
  seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
  begin_.assign(rows_.size() + 1, 0);
  targets_.reserve(seen_.size());
  for (const std::uint64_t pair : seen_) {
    ++begin_[(pair >> 32) + 1];
    targets_.push_back(static_cast<std::uint32_t>(pair));
  }
  for (Index row = 0; row < rows_.size(); ++row) begin_[row + 1] += begin_[row];
  for (auto* counts : {&arc_counts_, &row_counts_}) std::vector<std::uint32_t>().swap(*counts);
  std::vector<std::uint64_t>().swap(seen_);
}

}  // namespace trellis::parse
