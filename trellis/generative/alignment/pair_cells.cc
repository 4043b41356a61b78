#include "trellis/generative/alignment/pair_cells.h"

namespace trellis {

void PairCells::fill(WordPair pair, const EntryIndex& index, const LexiconView& lexicon,
                     std::span<double> forward, std::span<double> reverse) {
  const Index sources = pair.source.size(), targets = pair.target.size();
  entries_.resize(sources * targets);
  std::uint32_t* entry = entries_.data();
  for (Index i = 0; i < sources; ++i) {
    const float unseen = lexicon.unseen_forward[pair.source[i]];
    for (Index j = 0; j < targets; ++j, ++entry) {
      *entry = index.find(pair.source[i], pair.target[j]);
      const bool known = *entry != EntryIndex::kNone;
      forward[j * (sources + 1) + i] = known ? lexicon.forward[*entry] : unseen;
      reverse[i * (targets + 1) + j] =
          known ? lexicon.reverse[*entry] : lexicon.unseen_reverse[pair.target[j]];
    }
    reverse[i * (targets + 1) + targets] = lexicon.null_reverse[pair.source[i]];
  }
  for (Index j = 0; j < targets; ++j) {
    forward[j * (sources + 1) + sources] = lexicon.null_forward[pair.target[j]];
  }
}

void PairCells::count(WordPair pair, std::span<const double> forward,
                      std::span<const double> reverse, LinkCounting how,
                      LexiconCounts& counts) const {
  const Index sources = pair.source.size(), targets = pair.target.size();
  const auto add = [&](FixedCounts& to, Index x, double p) {
    if (p < FixedCounts::kLeast) return;  // most links
    if (how.alone) {
      to.add_alone(x, p);
    } else {
      to.add(x, p);
    }
  };
  const std::uint32_t* entry = entries_.data();
  for (Index i = 0; i < sources; ++i) {
    for (Index j = 0; j < targets; ++j, ++entry) {
      if (*entry == EntryIndex::kNone) continue;
      const double p = forward[j * (sources + 1) + i], q = reverse[i * (targets + 1) + j];
      add(counts.forward, *entry, how.agree ? p * q : p);
      add(counts.reverse, *entry, how.agree ? p * q : q);
    }
    add(counts.null_reverse, pair.source[i], reverse[i * (targets + 1) + targets]);
  }
  for (Index j = 0; j < targets; ++j) {
    add(counts.null_forward, pair.target[j], forward[j * (sources + 1) + sources]);
  }
}

}  // namespace trellis
