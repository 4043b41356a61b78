#include "trellis/data/weight_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr Index kMostSlots = std::numeric_limits<std::uint32_t>::max();

Index table_slots_for(Index num_features) {
  return std::max<Index>(2, 2 * num_features + 1);
}

[[noreturn]] void refuse_table(std::string_view file) {
  throw InputError(file, 0, "the model's table of weights is damaged");
}

}  // namespace

WeightView::WeightView(std::span<const WeightSlot> slots, std::string_view file) {
  // An empty slot ends every search.
  const auto empty = [](const WeightSlot& slot) { return slot.check == 0; };
  if (slots.size() < 2 || slots.size() > kMostSlots ||
      std::none_of(slots.begin(), slots.end(), empty)) {
    refuse_table(file);
  }
  slot_memory_ = std::make_shared<HugePages>(slots.size_bytes());
  auto* copied = slot_memory_->as<WeightSlot>();
  std::copy(slots.begin(), slots.end(), copied);
  slots_ = copied;
  num_slots_ = slots.size();
  make_bloom();
}

void WeightView::make_bloom() {
  const Index num_words = std::bit_ceil(std::max<Index>(2, num_slots_ / 16));
  bloom_memory_ = std::make_shared<HugePages>(num_words * sizeof(std::uint64_t));
  auto* words = bloom_memory_->as<std::uint64_t>();
  bloom_shift_ = 64 - std::countr_zero(num_words);
  for (Index slot = 0; slot < num_slots_; ++slot) {
    if (slots_[slot].check == 0) continue;
    const BloomBits bits = bloom_bits(slots_[slot].check, bloom_shift_);
    words[bits.word] |= bits.mask;
  }
  bloom_ = words;
}

WeightTable::WeightTable(Index num_features) : slots_(table_slots_for(num_features)) {
  if (slots_.size() > kMostSlots) {
    throw UsageError(fmt::format("{} features are too many for a model", num_features));
  }
}

void WeightTable::insert(std::uint64_t fingerprint, std::uint32_t value) {
  Index slot = WeightView::home(fingerprint, slots_.size());
  while (slots_[slot].check != 0) slot = slot + 1 < slots_.size() ? slot + 1 : 0;
  slots_[slot] = {WeightView::check_of(fingerprint), value};
}

void require_finite_weights(std::span<const WeightSlot> slots, std::string_view file) {
  for (const WeightSlot& slot : slots) {
    if (slot.check != 0 && !std::isfinite(std::bit_cast<float>(slot.value))) refuse_table(file);
  }
}

}  // namespace trellis
