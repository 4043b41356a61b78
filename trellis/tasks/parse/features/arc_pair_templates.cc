#include "trellis/tasks/parse/features/arc_pair_templates.h"

#include <algorithm>
#include <ranges>

namespace trellis::parse {
namespace {

// Each atom of a missing word.
constexpr std::uint64_t kNoWordAtom = 0xC2B2AE3D27D4EB4Fu;

}  // namespace

void copy_pair_word(const SentenceAtoms& atoms, std::uint32_t word, std::uint64_t* row) {
  if (word == kNoWord) {
    std::fill_n(row, kWordAtoms, kNoWordAtom);
  } else {
    std::ranges::copy(atoms.word(word), row);
  }
}

std::uint64_t pair_pattern(const ArcPair& pair) {
  const auto bit = [](bool value, unsigned place) {
    return static_cast<std::uint64_t>(value) << place;
  };
  return bit(pair.head < pair.first, 0) | bit(pair.head < pair.second, 1) |
         bit(pair.first < pair.second, 2) | bit(pair.first == kNoWord, 3) |
         bit(pair.second == kNoWord, 4) | bit(pair.head == 0, 5) | bit(pair.first == 0, 6) |
         static_cast<std::uint64_t>(pair.kind) << 7;
}

PairContext::PairContext(const SentenceAtoms& atoms, const ArcPair& pair)
    : seed((pair_pattern(pair) + 1) * 0xD6E8FEB86659FD93u) {
  // From the head if either word is missing.
  const Index from = pair.first == kNoWord ? pair.head : pair.first;
  const Index to = pair.second == kNoWord ? pair.head : pair.second;
  apart = from == to ? 0 : atoms.distance(from, to);
  between = from == to ? 0 : atoms.between(from, to);
}

void ArcPairFeatures::set(const ArcPair& pair) {
  const PairContext context(*atoms_, pair);
  seed_ = context.seed;
  copy_pair_word(*atoms_, pair.head, &row_[0]);
  copy_pair_word(*atoms_, pair.first, &row_[kWordAtoms]);
  copy_pair_word(*atoms_, pair.second, &row_[2 * kWordAtoms]);
  row_[pair_atoms::apart] = context.apart;
  row_[pair_atoms::between] = context.between;
  row_[kPairZeroAtom] = 0;
}

}  // namespace trellis::parse
