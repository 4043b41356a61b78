#include "trellis/formats/treebank/treebank_pairs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::parse {

TreebankPairs::TreebankPairs(TreebankReader gold, TreebankReader system)
    : gold_(std::move(gold)), system_(std::move(system)) {}

bool TreebankPairs::read(Sentence& gold, Sentence& system) {
  const bool has_gold = gold_.read(gold);
  const bool has_system = system_.read(system);
  if (!has_gold && !has_system) return false;
  if (has_gold != has_system) {
    const auto& longer = has_gold ? gold_ : system_;
    const auto& shorter = has_gold ? system_ : gold_;
    throw InputError(
        shorter.name(), 0,
        fmt::format("expected as many sentences as in {}, found the end at its line {}",
                    longer.name(), (has_gold ? gold : system).line));
  }
  const Index both = std::min(gold.size(), system.size());
  for (std::uint32_t m = 1; m <= both; ++m) {
    if (gold.word(m).form == system.word(m).form) continue;
    throw InputError(
        system_.name(), system.line_of(m),
        fmt::format("expected the same word as at {}:{}, found", gold_.name(), gold.line_of(m)),
        system.word(m).form);
  }
  if (gold.size() != system.size()) {
    throw InputError(system_.name(), system.line,
                     fmt::format("expected a sentence of {} words, as at {}:{}, found {}",
                                 gold.size(), gold_.name(), gold.line, system.size()));
  }
  return true;
}

}  // namespace trellis::parse
