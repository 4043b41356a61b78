#include "trellis/topics/lda/alias_table.h"

namespace trellis::topics {

void AliasBuilder::build(std::span<const float> weights, std::span<AliasCell> cells) {
  double total = 0;
  for (const float weight : weights) total += static_cast<double>(weight);
  const auto factor = static_cast<float>(static_cast<double>(weights.size()) / total);
  scaled_.resize(weights.size());
  small_.clear();
  large_.clear();
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    scaled_[i] = weights[i] * factor;
    (scaled_[i] < 1 ? small_ : large_).push_back(i);
  }
  while (!small_.empty() && !large_.empty()) {
    const std::uint32_t less = small_.back(), more = large_.back();
    small_.pop_back();
    cells[less] = {scaled_[less], more};
    scaled_[more] -= 1 - scaled_[less];
    if (scaled_[more] < 1) {
      large_.pop_back();
      small_.push_back(more);
    }
  }
  for (const std::uint32_t i : large_) cells[i] = {1, i};
  for (const std::uint32_t i : small_) cells[i] = {1, i};  // 1 but for rounding
}

}  // namespace trellis::topics
