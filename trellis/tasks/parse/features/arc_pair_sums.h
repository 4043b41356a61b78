// Fingerprints of all pairs of a sentence without a product for each atom, as ArcSums computes
// those of arcs: a word's part of each template is summed once for each of its three possible
// positions in a pair. The fingerprints equal those of ArcPairFeatures, bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/tasks/parse/features/arc_pair_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

class ArcPairSums {
 public:
  // Computes the parts of all words. Reuses its memory; `atoms` must outlive the calls below.
  void assign(const SentenceAtoms& atoms) {
    atoms_ = &atoms;
    consecutive_.assign(atoms);
    siblings_.assign(atoms);
    grandparents_.assign(atoms);
  }

  // out[t] ← the fingerprint of template t; returns their number, at most kMostPairFeatures.
  Index write(const ArcPair& pair, std::uint64_t* out) const {
    switch (pair.kind) {
      case ArcPairKind::kConsecutive:
        return consecutive_.write(*atoms_, pair, out);
      case ArcPairKind::kSiblings:
        return siblings_.write(*atoms_, pair, out);
      default:
        return grandparents_.write(*atoms_, pair, out);
    }
  }

 private:
  struct OwnMultipliers {
    std::uint64_t apart, between;
  };

  template <const auto& kTemplates>
  class Shares {
   public:
    void assign(const SentenceAtoms& atoms) {
      no_word_ = atoms.words() + 1;
      sums_.resize(3 * kSize * (no_word_ + 1));
      std::array<std::uint64_t, kWordAtoms> row;
      for (Index i = 0; i <= no_word_; ++i) {
        copy_pair_word(atoms, i == no_word_ ? kNoWord : static_cast<std::uint32_t>(i), row.data());
        for (Index place = 0; place < 3; ++place) add(row, place, &sums_[at(i, place)]);
      }
    }

    Index write(const SentenceAtoms& atoms, const ArcPair& pair, std::uint64_t* out) const {
      const PairContext context(atoms, pair);
      const std::uint64_t* head = shares_of(pair.head, 0);
      const std::uint64_t* first = shares_of(pair.first, 1);
      const std::uint64_t* second = shares_of(pair.second, 2);
      for (Index t = 0; t < kSize; ++t) {
        const std::uint64_t own = context.apart * kOwn[t].apart + context.between * kOwn[t].between;
        out[t] =
            scramble_feature(pair_seed(context.seed, t) + head[t] + first[t] + second[t] + own);
      }
      return kSize;
    }

   private:
    static constexpr Index kSize = kTemplates.size();
    static constexpr auto kOwn = [] {
      std::array<OwnMultipliers, kSize> own{};
      for (Index t = 0; t < kSize; ++t) {
        for (Index k = 0; k < kTemplateAtoms; ++k) {
          const Index atom = kTemplates[t].atoms[k];
          if (atom == pair_atoms::apart) own[t].apart += kAtomMultipliers[k];
          if (atom == pair_atoms::between) own[t].between += kAtomMultipliers[k];
        }
      }
      return own;
    }();

    Index at(Index word, Index place) const { return (3 * word + place) * kSize; }
    const std::uint64_t* shares_of(std::uint32_t word, Index place) const {
      return &sums_[at(word == kNoWord ? no_word_ : Index{word}, place)];
    }
    static void add(const std::array<std::uint64_t, kWordAtoms>& row, Index place,
                    std::uint64_t* sums) {
      for (Index t = 0; t < kSize; ++t) {
        std::uint64_t sum = 0;
        for (Index k = 0; k < kTemplateAtoms; ++k) {
          const Index atom = kTemplates[t].atoms[k];
          if (atom / kWordAtoms == place) sum += row[atom % kWordAtoms] * kAtomMultipliers[k];
        }
        sums[t] = sum;
      }
    }

    Index no_word_ = 0;
    std::vector<std::uint64_t> sums_;  // by word, position and template
  };

  const SentenceAtoms* atoms_ = nullptr;
  Shares<kConsecutiveTemplates> consecutive_;
  Shares<kSiblingTemplates> siblings_;
  Shares<kGrandparentTemplates> grandparents_;
};

}  // namespace trellis::parse
