#include "trellis/tasks/rank/tree_bins.h"

#include <algorithm>

namespace trellis::rank {
namespace {

// A number from `low` up to but not `high`, in the middle if floats allow it.
float between(float low, float high) {
  const auto middle =
      static_cast<float>(0.5 * (static_cast<double>(low) + static_cast<double>(high)));
  return middle < high ? std::max(low, middle) : low;
}

struct Distinct {
  float value;
  Index count;
};

// The thresholds between bins of nearly equal size; at most `max_bins` bins.
std::vector<float> thresholds_of(std::span<const Distinct> values, Index rows, Index max_bins) {
  std::vector<float> thresholds;
  Index left = rows;  // rows outside finished bins
  Index count = 0;    // rows in the current bin
  for (Index k = 0; k + 1 < values.size(); ++k) {
    count += values[k].count;
    const Index bins_left = max_bins - thresholds.size();
    if (bins_left < 2) break;
    const bool enough_bins = values.size() - k <= bins_left;
    if (!enough_bins && count * bins_left < left) continue;
    thresholds.push_back(between(values[k].value, values[k + 1].value));
    left -= count;
    count = 0;
  }
  return thresholds;
}

}  // namespace

TreeBins::TreeBins(std::span<const std::uint32_t> indices, std::span<const Query> queries,
                   Index max_bins) {
  std::vector<std::vector<Entry>> columns(indices.size());
  for (const Query& query : queries) {
    for (Index d = 0; d < query.num_documents(); ++d, ++num_rows_) {
      auto at = indices.begin();
      for (const IndexedValue& value : query.document(d)) {
        at = std::lower_bound(at, indices.end(), value.index);
        if (at == indices.end()) break;
        if (*at != value.index || value.value == 0) continue;
        columns[static_cast<Index>(at - indices.begin())].push_back(
            {static_cast<std::uint32_t>(num_rows_), value.value});
      }
    }
  }
  for (std::vector<Entry>& column : columns) add_column(column, max_bins);
  fill_blocks(columns);
}

void TreeBins::add_column(std::vector<Entry>& entries, Index max_bins) {
  std::vector<float> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) values.push_back(entry.value);
  std::sort(values.begin(), values.end());
  std::vector<Distinct> distinct;
  const auto add = [&](float value, Index count) {
    if (count == 0) return;
    if (distinct.empty() || distinct.back().value != value) distinct.push_back({value, 0});
    distinct.back().count += count;
  };
  Index k = 0;
  for (; k < values.size() && values[k] < 0; ++k) add(values[k], 1);
  add(0, num_rows_ - values.size());
  for (; k < values.size(); ++k) add(values[k], 1);

  const std::vector<float> thresholds = thresholds_of(distinct, num_rows_, max_bins);
  const auto bin_of = [&](float value) {
    return static_cast<std::uint8_t>(std::lower_bound(thresholds.begin(), thresholds.end(), value) -
                                     thresholds.begin());
  };
  zero_bins_.push_back(bin_of(0));
  thresholds_.insert(thresholds_.end(), thresholds.begin(), thresholds.end());
  thresholds_.push_back(0);
  cell_begin_.push_back(static_cast<std::uint32_t>(thresholds_.size()));
  for (Entry& entry : entries) entry.value = bin_of(entry.value);
}

// The values of entries have been replaced by their bins.
void TreeBins::fill_blocks(std::span<const std::vector<Entry>> columns) {
  for (Index first = 0; first < columns.size(); first += kBlockColumns) {
    const Index end = std::min(columns.size(), first + kBlockColumns);
    const Index width = end - first;
    Block& block = blocks_.emplace_back();
    Index others = 0;  // number of bins other than that of 0
    for (Index c = first; c < end; ++c) others += columns[c].size();
    if (others * 4 >= num_rows_ * width) {
      block.bins.resize(num_rows_ * width);
      for (Index row = 0; row < num_rows_; ++row) {
        std::copy_n(zero_bins_.begin() + static_cast<std::ptrdiff_t>(first), width,
                    block.bins.begin() + static_cast<std::ptrdiff_t>(row * width));
      }
      for (Index c = first; c < end; ++c) {
        for (const Entry& entry : columns[c]) {
          block.bins[entry.row * width + c - first] = static_cast<std::uint8_t>(entry.value);
        }
      }
      continue;
    }
    block.begin.assign(num_rows_ + 1, 0);
    for (Index c = first; c < end; ++c) {
      for (const Entry& entry : columns[c]) ++block.begin[entry.row + 1];
    }
    for (Index row = 0; row < num_rows_; ++row) block.begin[row + 1] += block.begin[row];
    block.bins.resize(others);
    block.columns.resize(others);
    std::vector<std::uint64_t> next(block.begin.begin(), block.begin.end() - 1);
    for (Index c = first; c < end; ++c) {
      for (const Entry& entry : columns[c]) {
        const std::uint64_t at = next[entry.row]++;
        block.bins[at] = static_cast<std::uint8_t>(entry.value);
        block.columns[at] = static_cast<std::uint8_t>(c - first);
      }
    }
  }
}

Index TreeBins::bin(Index row, Index c) const {
  const Block& block = blocks_[c / kBlockColumns];
  const Index first = c / kBlockColumns * kBlockColumns;
  if (block.dense()) {
    const Index width = std::min(num_columns(), first + kBlockColumns) - first;
    return block.bins[row * width + c - first];
  }
  for (Index at = block.begin[row]; at < block.begin[row + 1]; ++at) {
    if (block.columns[at] == c - first) return block.bins[at];
  }
  return zero_bins_[c];
}

}  // namespace trellis::rank
