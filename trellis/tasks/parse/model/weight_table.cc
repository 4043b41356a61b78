#include "trellis/tasks/parse/model/weight_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

constexpr Index kMostSlots = std::numeric_limits<std::uint32_t>::max();

Index slots_for(Index num_features) {
  return std::max<Index>(2, 2 * num_features + 1);
}

[[noreturn]] void refuse(std::string_view file) {
  throw InputError(file, 0, "the model's table of weights is damaged");
}

bool finite(std::uint32_t bits) {
  return std::isfinite(std::bit_cast<float>(bits));
}

}  // namespace

WeightView::WeightView(std::span<const WeightSlot> slots, std::string_view file) {
  // An empty slot ends every search.
  const auto empty = [](const WeightSlot& slot) { return slot.check == 0; };
  if (slots.size() < 2 || slots.size() > kMostSlots ||
      std::none_of(slots.begin(), slots.end(), empty)) {
    refuse(file);
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

WeightTable::WeightTable(Index num_features) : slots_(slots_for(num_features)) {
  if (slots_.size() > kMostSlots) {
    throw UsageError(fmt::format("{} features are too many for a model", num_features));
  }
}

void WeightTable::insert(std::uint64_t fingerprint, std::uint32_t value) {
  Index slot = WeightView::home(fingerprint, slots_.size());
  while (slots_[slot].check != 0) slot = slot + 1 < slots_.size() ? slot + 1 : 0;
  slots_[slot] = {WeightView::check_of(fingerprint), value};
}

LabelRows::LabelRows(std::span<const WeightSlot> slots, std::span<const LabelEntry> entries,
                     Index num_labels, std::string_view file)
    : places_(slots, file),
      entry_memory_(std::make_shared<HugePages>(entries.size_bytes())),
      entries_(entry_memory_->as<LabelEntry>(), entries.size()) {
  std::copy(entries.begin(), entries.end(), entry_memory_->as<LabelEntry>());
  std::vector<bool> heads(entries.size(), false);
  for (Index head = 0; head < entries.size();) {
    heads[head] = true;
    const Index size = entries[head].label;
    if (size > entries.size() - head - 1) refuse(file);
    for (Index k = head + 1; k <= head + size; ++k) {
      if (entries[k].label >= num_labels || !finite(entries[k].weight)) refuse(file);
    }
    head += size + 1;
  }
  for (const WeightSlot& slot : slots) {
    if (slot.check != 0 && (slot.value >= entries.size() || !heads[slot.value])) refuse(file);
  }
}

void require_finite_weights(std::span<const WeightSlot> slots, std::string_view file) {
  for (const WeightSlot& slot : slots) {
    if (slot.check != 0 && !finite(slot.value)) refuse(file);
  }
}

}  // namespace trellis::parse
