// The feature templates of arcs, in tables (McDonald, Crammer & Pereira 2005, table 1; Martins,
// Smith & Xing 2009, sec. 5): a template is a set of atoms of head, modifier and arc. Its feature
// is their conjunction with the direction of the arc.
//
//   kArcTemplates        of an arc (h, m), whatever its label
//   kPairTemplates       of an arc and its label
//   kModifierTemplates   of a modifier, the direction of its head, and the label
//   kHeadTemplates       of a head, the direction of the modifier, and the label
//   kFilterTemplates     for the filter: tags alone
//   kWordFilterTemplates for the filter's second stage, which uses words
//
// A label's score is the sum of the last three, so that the parts of a word are summed once for all
// its arcs. A feature's fingerprint is Σ_k atom_k · multiplier_k plus the template's seed,
// scrambled once: atoms are fingerprints or small numbers; a missing one is 0.
//
// Parts with more words than an arc (siblings, grandparents) can have tables of the same kind: rows
// with atoms of further words after those of head and modifier.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

// The atoms of an arc in a row: the head's, the modifier's, the arc's, and a zero.
inline constexpr Index kModifierAtoms = kWordAtoms;
inline constexpr Index kOwnAtoms = 2 * kWordAtoms;
inline constexpr Index kZeroAtom = kOwnAtoms + kArcAtoms;
using AtomRow = std::array<std::uint64_t, kZeroAtom + 1>;

inline constexpr Index kTemplateAtoms = 5;  // maximum per template
struct ArcTemplate {
  std::array<std::uint8_t, kTemplateAtoms> atoms;

  template <class... Place>
  explicit constexpr ArcTemplate(Place... place) : atoms{place...} {
    for (Index k = sizeof...(Place); k < kTemplateAtoms; ++k) atoms[k] = kZeroAtom;
  }
};

// Short names, used only in the tables.
namespace atoms {
constexpr std::uint8_t head(WordAtom atom) {
  return static_cast<std::uint8_t>(atom);
}
constexpr std::uint8_t modifier(WordAtom atom) {
  return static_cast<std::uint8_t>(kModifierAtoms + static_cast<Index>(atom));
}
constexpr std::uint8_t own(ArcAtom atom) {
  return static_cast<std::uint8_t>(kOwnAtoms + static_cast<Index>(atom));
}
// NOLINTBEGIN(readability-identifier-naming): a table is read by its words
inline constexpr std::uint8_t hForm = head(WordAtom::kForm), mForm = modifier(WordAtom::kForm);
inline constexpr std::uint8_t hLemma = head(WordAtom::kLemma), mLemma = modifier(WordAtom::kLemma);
inline constexpr std::uint8_t hCoarse = head(WordAtom::kCoarse),
                              mCoarse = modifier(WordAtom::kCoarse);
inline constexpr std::uint8_t hFine = head(WordAtom::kFine), mFine = modifier(WordAtom::kFine);
inline constexpr std::uint8_t hMorph = head(WordAtom::kMorph), mMorph = modifier(WordAtom::kMorph);
inline constexpr std::uint8_t hCase = head(WordAtom::kCase), mCase = modifier(WordAtom::kCase);
inline constexpr std::uint8_t hSuffix = head(WordAtom::kSuffix),
                              mSuffix = modifier(WordAtom::kSuffix);
inline constexpr std::uint8_t hCoarseBefore = head(WordAtom::kCoarseBefore),
                              mCoarseBefore = modifier(WordAtom::kCoarseBefore);
inline constexpr std::uint8_t hCoarseAfter = head(WordAtom::kCoarseAfter),
                              mCoarseAfter = modifier(WordAtom::kCoarseAfter);
inline constexpr std::uint8_t hFineBefore = head(WordAtom::kFineBefore),
                              mFineBefore = modifier(WordAtom::kFineBefore);
inline constexpr std::uint8_t hFineAfter = head(WordAtom::kFineAfter),
                              mFineAfter = modifier(WordAtom::kFineAfter);
inline constexpr std::uint8_t distance = own(ArcAtom::kDistance);
inline constexpr std::uint8_t between = own(ArcAtom::kBetween);
inline constexpr std::uint8_t shared = own(ArcAtom::kShared);
inline constexpr std::uint8_t clash = own(ArcAtom::kClash);
inline constexpr std::uint8_t coarseMid = own(ArcAtom::kCoarseMid);
// NOLINTEND(readability-identifier-naming)
}  // namespace atoms

// clang-format off
inline constexpr auto kArcTemplates = [] {
  using namespace atoms;
  return std::array{
      // Words and tags of both.
      ArcTemplate(hForm, mForm),               ArcTemplate(hLemma, mLemma),
      ArcTemplate(hForm, hFine, mFine),        ArcTemplate(hFine, mForm, mFine),
      ArcTemplate(hLemma, mFine, distance),    ArcTemplate(hFine, mLemma, distance),
      ArcTemplate(hLemma, mCoarse),            ArcTemplate(hCoarse, mLemma),
      ArcTemplate(hFine, mFine, distance),     ArcTemplate(hFine, mFine, between),
      ArcTemplate(hCoarse, mCoarse, between, distance),
      ArcTemplate(hLemma, mCoarse, between),   ArcTemplate(hCoarse, mLemma, between),
      // Words and tags of one word.
      ArcTemplate(hForm, hFine),    ArcTemplate(hLemma, distance), ArcTemplate(hFine, distance),
      ArcTemplate(hMorph),          ArcTemplate(hSuffix, mCoarse), ArcTemplate(hCoarse, mSuffix),
      ArcTemplate(mForm, mFine),    ArcTemplate(mLemma, distance), ArcTemplate(mFine, distance),
      ArcTemplate(mFineBefore, mFine, mFineAfter, distance),
      ArcTemplate(hFineBefore, hFine, hFineAfter, distance),
      // Neighbouring tags.
      ArcTemplate(hFine, hFineAfter, mFineBefore, mFine),
      ArcTemplate(hFineBefore, hFine, mFineBefore, mFine),
      ArcTemplate(hFine, hFineAfter, mFine, mFineAfter),
      ArcTemplate(hFineBefore, hFine, mFine, mFineAfter),
      ArcTemplate(hFine, hFineAfter, mFine),   ArcTemplate(hFineBefore, hFine, mFine),
      ArcTemplate(hFine, mFineBefore, mFine),  ArcTemplate(hFine, mFine, mFineAfter),
      ArcTemplate(hCoarse, hCoarseAfter, mCoarseBefore, mCoarse, distance),
      ArcTemplate(hCoarseBefore, hCoarse, mCoarseBefore, mCoarse, distance),
      ArcTemplate(hCoarse, hCoarseAfter, mCoarse, mCoarseAfter, distance),
      ArcTemplate(hCoarseBefore, hCoarse, mCoarse, mCoarseAfter, distance),
      ArcTemplate(hLemma, hCoarseAfter, mCoarse, mCoarseBefore),
      ArcTemplate(hCoarse, hCoarseAfter, mLemma, mCoarseBefore),
      // Morphology.
      ArcTemplate(hMorph, mMorph),             ArcTemplate(hCoarse, mMorph, distance),
      ArcTemplate(hMorph, mCoarse, distance),  ArcTemplate(hLemma, mMorph),
      ArcTemplate(hMorph, mLemma),             ArcTemplate(hCoarse, mCoarse, shared),
      ArcTemplate(hCoarse, mCoarse, clash),    ArcTemplate(hLemma, mCoarse, mCase),
      ArcTemplate(hCoarse, hCase, mCoarse, mCase, distance),
  };
}();
// A feature for each of the coarse tags between head and modifier.
inline constexpr auto kMidTemplates = [] {
  using namespace atoms;
  return std::array{
      ArcTemplate(hFine, coarseMid, mFine),
      ArcTemplate(hCoarse, coarseMid, mCoarse),
  };
}();

inline constexpr auto kPairTemplates = [] {
  using namespace atoms;
  return std::array{
      ArcTemplate(hFine, mFine),               ArcTemplate(hCoarse, mCoarse, distance),
      ArcTemplate(hLemma, mLemma),             ArcTemplate(hLemma, mFine),
      ArcTemplate(hFine, mLemma),              ArcTemplate(hForm, mFine),
      ArcTemplate(hFine, mForm),               ArcTemplate(hCoarse, mMorph),
      ArcTemplate(hMorph, mMorph),             ArcTemplate(hCoarse, mCoarse, between),
      ArcTemplate(hFine, mFineBefore, mFine),  ArcTemplate(hFine, mFine, mFineAfter),
      ArcTemplate(hLemma, mCoarse, mCase),     ArcTemplate(hCoarse, mCoarse, shared),
      ArcTemplate(hLemma, mCoarseBefore, mCoarse),
  };
}();
inline constexpr auto kModifierTemplates = [] {
  using namespace atoms;
  return std::array{
      ArcTemplate(mForm),               ArcTemplate(mLemma),
      ArcTemplate(mFine),               ArcTemplate(mMorph),
      ArcTemplate(mSuffix, mCoarse),    ArcTemplate(mLemma, mFine),
      ArcTemplate(mFineBefore, mFine),  ArcTemplate(mFine, mFineAfter),
      ArcTemplate(mFineBefore, mFine, mFineAfter),
      ArcTemplate(mLemma, mCoarseBefore), ArcTemplate(mLemma, mCoarseAfter),
  };
}();
inline constexpr auto kHeadTemplates = [] {
  using namespace atoms;
  return std::array{
      ArcTemplate(hForm),               ArcTemplate(hLemma, hFine),
      ArcTemplate(hFine),               ArcTemplate(hMorph),
      ArcTemplate(hFineBefore, hFine),  ArcTemplate(hFine, hFineAfter),
  };
}();

inline constexpr auto kFilterTemplates = [] {
  using namespace atoms;
  return std::array{
      ArcTemplate(hFine, mFine, distance),     ArcTemplate(hCoarse, mCoarse, between),
      ArcTemplate(hCoarse, mCoarse, distance, between),
      ArcTemplate(hFine, distance),            ArcTemplate(mFine, distance),
      ArcTemplate(hFine, mFine, mFineAfter),   ArcTemplate(hFine, mFineBefore, mFine),
      ArcTemplate(hFineBefore, hFine, mFine),  ArcTemplate(hFine, hFineAfter, mFine),
      ArcTemplate(hCoarse, hCoarseAfter, mCoarseBefore, mCoarse),
      ArcTemplate(hCoarseBefore, hCoarse, mCoarse, mCoarseAfter),
      ArcTemplate(mCoarseBefore, mCoarse, mCoarseAfter, distance),
  };
}();
inline constexpr auto kWordFilterTemplates = [] {
  using namespace atoms;
  return std::array{
      ArcTemplate(hLemma, mLemma),             ArcTemplate(hForm, mFine),
      ArcTemplate(hFine, mForm),               ArcTemplate(hLemma, mFine, distance),
      ArcTemplate(hFine, mLemma, distance),    ArcTemplate(hLemma, mCoarse),
      ArcTemplate(hCoarse, mLemma),            ArcTemplate(hFine, mFine, distance),
      ArcTemplate(hFine, mFine, between),      ArcTemplate(hCoarse, mCoarse, between, distance),
      ArcTemplate(hLemma, mCoarse, between),   ArcTemplate(hCoarse, mLemma, between),
      ArcTemplate(hLemma, distance),           ArcTemplate(mLemma, distance),
      ArcTemplate(hFine, hFineAfter, mFineBefore, mFine),
      ArcTemplate(hFineBefore, hFine, mFineBefore, mFine),
      ArcTemplate(hFine, hFineAfter, mFine, mFineAfter),
      ArcTemplate(hFineBefore, hFine, mFine, mFineAfter),
      ArcTemplate(hCoarse, hCoarseAfter, mCoarseBefore, mCoarse, distance),
      ArcTemplate(hCoarseBefore, hCoarse, mCoarse, mCoarseAfter, distance),
      ArcTemplate(mFineBefore, mFine, mFineAfter, distance),
      ArcTemplate(hFineBefore, hFine, hFineAfter, distance),
      ArcTemplate(hMorph, mMorph),             ArcTemplate(hCoarse, mMorph, distance),
      ArcTemplate(hMorph, mCoarse, distance),  ArcTemplate(hLemma, mCoarse, mCase),
  };
}();
// clang-format on

// Templates of different tables are different features.
enum class TemplateTable : std::uint8_t {
  kArc,
  kMid,
  kPair,
  kModifier,
  kHead,
  kFilter,
  kWordFilter
};
std::span<const ArcTemplate> templates_of(TemplateTable table);

inline constexpr std::array<std::uint64_t, kTemplateAtoms> kAtomMultipliers = {
    0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u, 0xABC98388FB8FAC03u, 0x8CB92BA72F3D8DD7u,
    0xF1357AEA2E62A9C5u};

constexpr std::uint64_t template_seed(TemplateTable table, Index number, ArcDirection direction) {
  const std::uint64_t place = (static_cast<std::uint64_t>(table) * 256 + number) * kDirections +
                              static_cast<std::uint64_t>(direction) + 1;
  const std::uint64_t mixed = place * 0xBF58476D1CE4E5B9u;
  return (mixed ^ (mixed >> 29)) * 0x94D049BB133111EBu;
}

// One scrambling step of MurmurHash3 (Appleby 2011).
constexpr std::uint64_t scramble_feature(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDu;
  return h ^ (h >> 32);
}

constexpr std::uint64_t feature_fingerprint(const ArcTemplate& made_of, std::uint64_t seed,
                                            const AtomRow& row) {
  std::uint64_t h = seed;
  for (Index k = 0; k < kTemplateAtoms; ++k) h += row[made_of.atoms[k]] * kAtomMultipliers[k];
  return scramble_feature(h);
}

// The features of a sentence's arcs, one arc after another. The row of atoms is kept; only changes
// are written.
class ArcFeatures {
 public:
  // `atoms` must outlive the object.
  explicit ArcFeatures(const SentenceAtoms& atoms) : atoms_(&atoms) { row_[kZeroAtom] = 0; }

  void set_modifier(Index m);
  // Call after set_modifier. `with_morph`: also sets the arc's atoms of morphology.
  void set_head(Index h, bool with_morph = true);
  void set_head_alone(Index h, ArcDirection direction);  // for kHeadTemplates
  void set_direction(ArcDirection direction) { direction_ = direction; }

  // Calls visit(fingerprint) for each template of the table.
  template <TemplateTable kTable, class Visit>
  void each(const Visit& visit) const;
  // For kArcTemplates and kMidTemplates.
  template <class Visit>
  void each_of_arc(const Visit& visit);

  ArcDirection direction() const { return direction_; }
  const AtomRow& row() const { return row_; }

 private:
  const SentenceAtoms* atoms_;
  Index modifier_ = 0;
  std::uint64_t mid_tags_ = 0;
  ArcDirection direction_ = ArcDirection::kFromRoot;
  AtomRow row_{};
};

template <TemplateTable kTable>
constexpr const auto& table_of() {
  if constexpr (kTable == TemplateTable::kArc)
    return kArcTemplates;
  else if constexpr (kTable == TemplateTable::kMid)
    return kMidTemplates;
  else if constexpr (kTable == TemplateTable::kPair)
    return kPairTemplates;
  else if constexpr (kTable == TemplateTable::kModifier)
    return kModifierTemplates;
  else if constexpr (kTable == TemplateTable::kHead)
    return kHeadTemplates;
  else if constexpr (kTable == TemplateTable::kFilter)
    return kFilterTemplates;
  else
    return kWordFilterTemplates;
}

template <TemplateTable kTable>
inline constexpr auto kTemplateSeeds = [] {
  std::array<std::array<std::uint64_t, table_of<kTable>().size()>, kDirections> seeds{};
  for (Index d = 0; d < kDirections; ++d) {
    for (Index t = 0; t < seeds[d].size(); ++t) {
      seeds[d][t] = template_seed(kTable, t, static_cast<ArcDirection>(d));
    }
  }
  return seeds;
}();

template <TemplateTable kTable, class Visit>
void ArcFeatures::each(const Visit& visit) const {
  constexpr const auto& kTemplates = table_of<kTable>();
  const auto& seeds = kTemplateSeeds<kTable>[static_cast<Index>(direction_)];
  for (Index t = 0; t < kTemplates.size(); ++t) {
    visit(feature_fingerprint(kTemplates[t], seeds[t], row_));
  }
}

template <class Visit>
void ArcFeatures::each_of_arc(const Visit& visit) {
  each<TemplateTable::kArc>(visit);
  for (std::uint64_t tags = mid_tags_; tags != 0; tags &= tags - 1) {
    row_[atoms::coarseMid] = atoms_->tag_atom(static_cast<Index>(std::countr_zero(tags)));
    each<TemplateTable::kMid>(visit);
  }
}

// For explanations: the name of a template, "form(h) fine(m) distance", and the values of its atoms
// for this arc, "saw NN 2". `mid` is the coarse tag between, for kMidTemplates.
std::string template_name(const ArcTemplate& named);
std::string template_values(const ArcTemplate& named, const Sentence& sentence, Index head,
                            Index modifier, std::string_view mid);

}  // namespace trellis::parse
