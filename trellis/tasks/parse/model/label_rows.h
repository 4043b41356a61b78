// The weights of label features in a parser's model file: a slot (data/weight_table.h) has the
// position of a row among the entries; a row is its length, followed by labels and weights.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "trellis/base/huge_pages.h"
#include "trellis/base/types.h"
#include "trellis/data/weight_table.h"

namespace trellis::parse {

struct LabelEntry {
  std::uint32_t label = 0;  // at the beginning of a row: its length
  std::uint32_t weight = 0;

  double value() const { return static_cast<double>(std::bit_cast<float>(weight)); }
};

// The rows of label features.
class LabelRows {
 public:
  LabelRows() = default;
  // Copies both. Throws InputError(file, …) for rows that are not valid for `num_labels` labels,
  // and for slots without a row.
  LabelRows(std::span<const WeightSlot> slots, std::span<const LabelEntry> entries,
            Index num_labels, std::string_view file);

  const WeightView& places() const { return places_; }
  void prefetch(std::uint32_t place) const { __builtin_prefetch(entries_.data() + place); }
  std::span<const LabelEntry> row(std::uint32_t place) const {
    return entries_.subspan(place + 1, entries_[place].label);
  }
  // sums[label] += weight
  void add(std::uint32_t place, double* sums) const {
    for (const LabelEntry& entry : row(place)) sums[entry.label] += entry.value();
  }

 private:
  WeightView places_;
  std::shared_ptr<HugePages> entry_memory_;
  std::span<const LabelEntry> entries_;
};

}  // namespace trellis::parse
