#include "trellis/tasks/parse/model/weight_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

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

WeightView::WeightView(std::span<const WeightSlot> slots, std::string_view file)
    : slots_(slots.data()), num_slots_(slots.size()) {
  // An empty slot ends every search.
  const auto empty = [](const WeightSlot& slot) { return slot.check == 0; };
  if (slots.size() < 2 || slots.size() > kMostSlots ||
      std::none_of(slots.begin(), slots.end(), empty)) {
    refuse(file);
  }
  make_bloom(slots.size());
}

void WeightView::make_bloom(Index num_slots) {
  auto words = std::make_shared<std::vector<std::uint64_t>>(
      std::bit_ceil(std::max<Index>(2, num_slots / 16)));
  bloom_shift_ = 64 - std::countr_zero(words->size());
  for (Index slot = 0; slot < num_slots; ++slot) {
    if (slots_[slot].check == 0) continue;
    const BloomBits bits = bloom_bits(slots_[slot].check, bloom_shift_);
    (*words)[bits.word] |= bits.mask;
  }
  bloom_words_ = std::move(words);
  bloom_ = bloom_words_->data();
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
    : places_(slots, file), entries_(entries) {
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
