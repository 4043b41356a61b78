#include "trellis/tasks/parse/model/label_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

[[noreturn]] void refuse_rows(std::string_view file) {
  throw InputError(file, 0, "the model's table of weights is damaged");
}

}  // namespace

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
    if (size > entries.size() - head - 1) refuse_rows(file);
    for (Index k = head + 1; k <= head + size; ++k) {
      if (entries[k].label >= num_labels || !std::isfinite(entries[k].value())) refuse_rows(file);
    }
    head += size + 1;
  }
  for (const WeightSlot& slot : slots) {
    if (slot.check != 0 && (slot.value >= entries.size() || !heads[slot.value])) refuse_rows(file);
  }
}

}  // namespace trellis::parse
