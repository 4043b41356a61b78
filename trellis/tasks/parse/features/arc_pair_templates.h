// The feature templates of pairs of arcs (McDonald & Pereira 2006, sec. 4; Martins, Smith & Xing
// 2009, sec. 5): a template is a set of atoms of the three words and of the words between them. Its
// feature is their conjunction with the kind of the pair and the directions of its arcs.
//
// The words are those of ArcPair: the head h, the first f (the sibling closer to the head or to the
// left, the grandparent) and the second s (the other sibling, the modifier); a missing word has
// atoms of its own. Fingerprints are computed as for arcs (arc_templates.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "trellis/base/types.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

// Atoms of a pair in addition to those of its words.
enum class ArcPairAtom : std::uint8_t {
  kApart,    // the bucket of the distance between first and second
  kBetween,  // words between them with their tags, and punctuation
};
inline constexpr Index kArcPairAtoms = 2;
inline constexpr Index kPairZeroAtom = 3 * kWordAtoms + kArcPairAtoms;
using PairAtomRow = std::array<std::uint64_t, kPairZeroAtom + 1>;

struct ArcPairTemplate {
  std::array<std::uint8_t, kTemplateAtoms> atoms;

  template <class... Place>
  explicit constexpr ArcPairTemplate(Place... place) : atoms{place...} {
    for (Index k = sizeof...(Place); k < kTemplateAtoms; ++k) atoms[k] = kPairZeroAtom;
  }
};

// Short names, used only in the tables.
// NOLINTBEGIN(readability-identifier-naming)
namespace pair_atoms {
constexpr std::uint8_t at(Index word, WordAtom atom) {
  return static_cast<std::uint8_t>(word * kWordAtoms + static_cast<Index>(atom));
}
inline constexpr std::uint8_t hForm = at(0, WordAtom::kForm), hLemma = at(0, WordAtom::kLemma),
                              hCoarse = at(0, WordAtom::kCoarse), hFine = at(0, WordAtom::kFine);
inline constexpr std::uint8_t fForm = at(1, WordAtom::kForm), fLemma = at(1, WordAtom::kLemma),
                              fCoarse = at(1, WordAtom::kCoarse), fFine = at(1, WordAtom::kFine),
                              fCase = at(1, WordAtom::kCase), fMorph = at(1, WordAtom::kMorph);
inline constexpr std::uint8_t sForm = at(2, WordAtom::kForm), sLemma = at(2, WordAtom::kLemma),
                              sCoarse = at(2, WordAtom::kCoarse), sFine = at(2, WordAtom::kFine),
                              sCase = at(2, WordAtom::kCase), sMorph = at(2, WordAtom::kMorph);
inline constexpr std::uint8_t apart = static_cast<std::uint8_t>(3 * kWordAtoms);
inline constexpr std::uint8_t between = static_cast<std::uint8_t>(3 * kWordAtoms + 1);
}  // namespace pair_atoms
// NOLINTEND(readability-identifier-naming)

// clang-format off
inline constexpr auto kConsecutiveTemplates = [] {
  using namespace pair_atoms;
  return std::array{
      ArcPairTemplate(hFine, fFine, sFine),       ArcPairTemplate(hCoarse, fCoarse, sCoarse, apart),
      ArcPairTemplate(fFine, sFine),              ArcPairTemplate(fCoarse, sCoarse, apart),
      ArcPairTemplate(fForm, sFine),              ArcPairTemplate(fFine, sForm),
      ArcPairTemplate(fLemma, sLemma),            ArcPairTemplate(fForm, sForm),
      ArcPairTemplate(hLemma, fFine, sFine),      ArcPairTemplate(hLemma, fCoarse, sCoarse),
      ArcPairTemplate(hFine, fLemma, sFine),      ArcPairTemplate(hFine, fFine, sLemma),
      ArcPairTemplate(hLemma, fLemma, sCoarse),   ArcPairTemplate(hLemma, fCoarse, sLemma),
      ArcPairTemplate(hCoarse, fMorph, sMorph),   ArcPairTemplate(hFine, fCase, sCase, sCoarse),
      ArcPairTemplate(hCoarse, fCoarse, sCoarse, between),
      ArcPairTemplate(hLemma, fLemma, sLemma),
  };
}();
inline constexpr auto kSiblingTemplates = [] {
  using namespace pair_atoms;
  return std::array{
      ArcPairTemplate(hFine, fFine, sFine),       ArcPairTemplate(fFine, sFine),
      ArcPairTemplate(fLemma, sLemma),            ArcPairTemplate(fLemma, sFine),
      ArcPairTemplate(fFine, sLemma),             ArcPairTemplate(hCoarse, fCase, sCase),
      ArcPairTemplate(hLemma, fCoarse, sCoarse),  ArcPairTemplate(hCoarse, fCoarse, sCoarse, apart),
  };
}();
inline constexpr auto kGrandparentTemplates = [] {
  using namespace pair_atoms;
  return std::array{
      ArcPairTemplate(fFine, hFine, sFine),       ArcPairTemplate(fCoarse, hCoarse, sCoarse, apart),
      ArcPairTemplate(fFine, sFine),              ArcPairTemplate(fForm, sForm),
      ArcPairTemplate(fLemma, sLemma),            ArcPairTemplate(fForm, sFine),
      ArcPairTemplate(fFine, sForm),              ArcPairTemplate(fLemma, hFine, sFine),
      ArcPairTemplate(fFine, hLemma, sFine),      ArcPairTemplate(fFine, hFine, sLemma),
      ArcPairTemplate(fLemma, hCoarse, sLemma),   ArcPairTemplate(fLemma, hLemma, sCoarse),
      ArcPairTemplate(fCoarse, hLemma, sLemma),   ArcPairTemplate(fLemma, hLemma, sLemma),
      ArcPairTemplate(fFine, hCoarse, sMorph),    ArcPairTemplate(fMorph, hCoarse, sCase),
      ArcPairTemplate(fCoarse, hCoarse, sCoarse, between),
  };
}();
// clang-format on

inline constexpr Index kMostPairFeatures = std::max(
    {kConsecutiveTemplates.size(), kSiblingTemplates.size(), kGrandparentTemplates.size()});

// The order of the words: whether h < f, h < s and f < s, and which are the root or missing.
std::uint64_t pair_pattern(const ArcPair& pair);

// The parts of a pair's fingerprints that do not come from its words' atoms.
struct PairContext {
  PairContext(const SentenceAtoms& atoms, const ArcPair& pair);
  std::uint64_t seed;
  std::uint64_t apart, between;  // by ArcPairAtom
};
// The seed of template t.
constexpr std::uint64_t pair_seed(std::uint64_t seed, Index t) {
  return scramble_feature(seed + (t + 1) * 0x9E3779B97F4A7C15u);
}
// Copies the kWordAtoms atoms of a word, or of kNoWord.
void copy_pair_word(const SentenceAtoms& atoms, std::uint32_t word, std::uint64_t* row);

// The features of a sentence's pairs, one pair after another.
class ArcPairFeatures {
 public:
  // `atoms` must outlive the object.
  explicit ArcPairFeatures(const SentenceAtoms& atoms) : atoms_(&atoms) {}

  // Calls visit(fingerprint) for each feature of the pair.
  template <class Visit>
  void each(const ArcPair& pair, const Visit& visit) {
    set(pair);
    switch (pair.kind) {
      case ArcPairKind::kConsecutive:
        return each_of(kConsecutiveTemplates, visit);
      case ArcPairKind::kSiblings:
        return each_of(kSiblingTemplates, visit);
      case ArcPairKind::kGrandparent:
        return each_of(kGrandparentTemplates, visit);
    }
  }

 private:
  void set(const ArcPair& pair);

  template <class Templates, class Visit>
  void each_of(const Templates& templates, const Visit& visit) const {
    for (Index t = 0; t < templates.size(); ++t) {
      std::uint64_t h = pair_seed(seed_, t);
      for (Index k = 0; k < kTemplateAtoms; ++k) {
        h += row_[templates[t].atoms[k]] * kAtomMultipliers[k];
      }
      visit(scramble_feature(h));
    }
  }

  const SentenceAtoms* atoms_;
  std::uint64_t seed_ = 0;
  PairAtomRow row_{};
};

}  // namespace trellis::parse
