#include "trellis/generative/alignment/entry_index.h"

namespace trellis {

EntryIndex::EntryIndex(std::span<const Index> row_begin, std::span<const WordId> targets) {
  begin_.push_back(0);
  for (Index e = 0; e + 1 < row_begin.size(); ++e) {
    const Index size = row_begin[e + 1] - row_begin[e];
    begin_.push_back(begin_.back() + std::bit_ceil(2 * size + 1));
  }
  slots_.resize(begin_.back());
  for (Index e = 0; e + 1 < row_begin.size(); ++e) {
    const Index begin = begin_[e], mask = begin_[e + 1] - begin - 1;
    for (Index x = row_begin[e]; x < row_begin[e + 1]; ++x) {
      Index slot = hash(targets[x]) & mask;
      while (slots_[begin + slot].entry != kNone) slot = (slot + 1) & mask;
      slots_[begin + slot] = {targets[x], static_cast<std::uint32_t>(x)};
    }
  }
}

}  // namespace trellis
