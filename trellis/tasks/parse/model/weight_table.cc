#include "trellis/tasks/parse/model/weight_table.h"

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

Index slots_for(Index num_features) {
  return std::bit_ceil(std::max<Index>(2, num_features * 10 / 7 + 1));
}

int shift_for(Index num_slots) {
  return 64 - std::countr_zero(num_slots);
}

[[noreturn]] void refuse(std::string_view file) {
  throw InputError(file, 0, "the model's table of weights is damaged");
}

bool finite(std::uint32_t bits) {
  return std::isfinite(std::bit_cast<float>(bits));
}

}  // namespace

WeightView::WeightView(std::span<const WeightSlot> slots, std::string_view file)
    : slots_(slots.data()), mask_(slots.size() - 1) {
  // An empty slot ends every search.
  const auto empty = [](const WeightSlot& slot) { return slot.check == 0; };
  if (slots.size() < 2 || !std::has_single_bit(slots.size()) ||
      std::none_of(slots.begin(), slots.end(), empty)) {
    refuse(file);
  }
  shift_ = shift_for(slots.size());
  make_bloom(slots.size());
}

void WeightView::make_bloom(Index num_slots) {
  auto words = std::make_shared<std::vector<std::uint64_t>>(std::max<Index>(2, num_slots / 16));
  bloom_shift_ = shift_for(words->size());
  for (Index slot = 0; slot < num_slots; ++slot) {
    if (slots_[slot].check == 0) continue;
    const BloomBits bits = bloom_bits(slots_[slot].check, bloom_shift_);
    (*words)[bits.word] |= bits.mask;
  }
  bloom_words_ = std::move(words);
  bloom_ = bloom_words_->data();
}

WeightTable::WeightTable(Index num_features)
    : slots_(slots_for(num_features)), shift_(shift_for(slots_.size())) {}

void WeightTable::insert(std::uint64_t fingerprint, std::uint32_t value) {
  Index slot = static_cast<Index>(fingerprint >> shift_);
  while (slots_[slot].check != 0) slot = (slot + 1) & (slots_.size() - 1);
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
