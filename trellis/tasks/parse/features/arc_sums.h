// Fingerprints of all arcs of a sentence without a product for each atom. A fingerprint is a sum
// over the template's atoms (arc_templates.h), so the head's part is summed once for each head and
// the modifier's part once for each modifier; an arc adds these two and its own part. The
// fingerprints equal those of ArcFeatures, bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

template <TemplateTable kTable>
class ArcSums {
 public:
  static constexpr Index kSize = table_of<kTable>().size();
  using Own = std::array<std::uint64_t, kArcAtoms>;  // by ArcAtom; only those in the table

  // Computes the parts of all words. Reuses its memory.
  void assign(const SentenceAtoms& atoms) {
    heads_.resize((atoms.words() + 1) * kSize);
    modifiers_.resize((atoms.words() + 1) * kSize);
    for (Index i = 0; i <= atoms.words(); ++i) {
      const std::uint64_t* word = atoms.word(i).data();
      add_shares<0>(word, &heads_[i * kSize], kEach);
      add_shares<kModifierAtoms>(word, &modifiers_[i * kSize], kEach);
    }
  }

  // out[t] ← the fingerprint of template t, for all kSize templates.
  void write(Index head, Index modifier, const Own& own, std::uint64_t* out) const {
    const ArcDirection direction = direction_of_arc(head, modifier);
    write(&heads_[head * kSize], &modifiers_[modifier * kSize],
          kTemplateSeeds<kTable>[static_cast<Index>(direction)].data(), own, out, kEach);
  }

 private:
  static constexpr auto kEach = std::make_index_sequence<kSize>();
  static constexpr auto kPlaces = std::make_index_sequence<kTemplateAtoms>();

  // The atom's product if the atom is one of the `kCount` from `kFirst` on, else 0.
  template <Index kFirst, Index kCount, Index kTemplate, Index kPlace>
  static std::uint64_t product(const std::uint64_t* atoms) {
    constexpr Index kAtom = table_of<kTable>()[kTemplate].atoms[kPlace];
    if constexpr (kAtom >= kFirst && kAtom < kFirst + kCount) {
      return atoms[kAtom - kFirst] * kAtomMultipliers[kPlace];
    } else {
      return 0;
    }
  }
  template <Index kFirst, Index kCount, Index kTemplate, Index... kPlace>
  static std::uint64_t share(const std::uint64_t* atoms, std::index_sequence<kPlace...>) {
    return (product<kFirst, kCount, kTemplate, kPlace>(atoms) + ...);
  }
  template <Index kFirst, Index... kTemplate>
  static void add_shares(const std::uint64_t* word, std::uint64_t* sums,
                         std::index_sequence<kTemplate...>) {
    ((sums[kTemplate] = share<kFirst, kWordAtoms, kTemplate>(word, kPlaces)), ...);
  }
  template <Index... kTemplate>
  static void write(const std::uint64_t* head, const std::uint64_t* modifier,
                    const std::uint64_t* seeds, const Own& own, std::uint64_t* out,
                    std::index_sequence<kTemplate...>) {
    ((out[kTemplate] =
          scramble_feature(head[kTemplate] + modifier[kTemplate] + seeds[kTemplate] +
                           share<kOwnAtoms, kArcAtoms, kTemplate>(own.data(), kPlaces))),
     ...);
  }

  std::vector<std::uint64_t> heads_, modifiers_;
};

}  // namespace trellis::parse
