// The two stages of a filter, and the weights into which each of them hashes its features.
//
//   kTags    tags alone, in a table that fits a cache: for all n² arcs of a sentence
//   kWords   words as well: for the arcs that the first stage left
#pragma once

#include <cstdint>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/arc_templates.h"

namespace trellis::parse {

enum class FilterStage : std::uint8_t { kTags, kWords };

constexpr TemplateTable filter_table(FilterStage stage) {
  return stage == FilterStage::kTags ? TemplateTable::kFilter : TemplateTable::kWordFilter;
}
constexpr int filter_bits(FilterStage stage) {
  return stage == FilterStage::kTags ? 17 : 20;
}
constexpr Index num_filter_weights(FilterStage stage) {
  return Index{1} << filter_bits(stage);
}
// Number of features of an arc.
constexpr Index num_filter_features(FilterStage stage) {
  return stage == FilterStage::kTags ? kFilterTemplates.size() : kWordFilterTemplates.size();
}

// The weight of a feature, by number.
template <FilterStage kStage>
constexpr std::uint32_t filter_weight(std::uint64_t fingerprint) {
  return static_cast<std::uint32_t>(fingerprint >> (64 - filter_bits(kStage)));
}

}  // namespace trellis::parse
