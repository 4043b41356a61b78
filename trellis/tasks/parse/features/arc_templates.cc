#include "trellis/tasks/parse/features/arc_templates.h"

#include <algorithm>

namespace trellis::parse {
namespace {

constexpr std::array<std::string_view, kWordAtoms> kWordAtomNames = {
    "form",   "lemma",         "coarse",       "fine",        "feats",     "case",
    "suffix", "coarse_before", "coarse_after", "fine_before", "fine_after"};
constexpr std::array<std::string_view, kArcAtoms> kArcAtomNames = {"distance", "between", "shared",
                                                                   "clash", "tag_between"};

std::vector<std::string_view> items_of(std::string_view features) {
  std::vector<std::string_view> items;
  while (!features.empty()) {
    const Index end = std::min(features.find('|'), features.size());
    items.push_back(features.substr(0, end));
    features.remove_prefix(std::min(end + 1, features.size()));
  }
  return items;
}

// "Case=Acc,Number=Sing": the FEATS that both share, or the keys with different values.
std::string morph_text(const Sentence& sentence, Index head, Index modifier, bool shared) {
  std::string text;
  if (head == 0) return "-";
  const auto key = [](std::string_view item) { return item.substr(0, item.find('=')); };
  for (const std::string_view one : items_of(sentence.words[head - 1].features)) {
    for (const std::string_view other : items_of(sentence.words[modifier - 1].features)) {
      const bool meant = shared ? one == other : key(one) == key(other) && one != other;
      if (!meant) continue;
      if (!text.empty()) text += ',';
      text += shared ? one : key(one);
    }
  }
  return text.empty() ? "-" : text;
}

std::string own_text(ArcAtom atom, const Sentence& sentence, Index head, Index modifier,
                     std::string_view mid) {
  switch (atom) {
    case ArcAtom::kDistance:
      return std::string(distance_text(head, modifier));
    case ArcAtom::kShared:
    case ArcAtom::kClash:
      return morph_text(sentence, head, modifier, atom == ArcAtom::kShared);
    case ArcAtom::kBetween:
      return between_text(sentence, head, modifier);
    default:
      return std::string(mid);
  }
}

}  // namespace

std::span<const ArcTemplate> templates_of(TemplateTable table) {
  switch (table) {
    case TemplateTable::kArc:
      return kArcTemplates;
    case TemplateTable::kMid:
      return kMidTemplates;
    case TemplateTable::kPair:
      return kPairTemplates;
    case TemplateTable::kModifier:
      return kModifierTemplates;
    case TemplateTable::kHead:
      return kHeadTemplates;
    case TemplateTable::kFilter:
      return kFilterTemplates;
    default:
      return kWordFilterTemplates;
  }
}

void ArcFeatures::set_modifier(Index m) {
  modifier_ = m;
  const auto atoms = atoms_->word(m);
  std::copy(atoms.begin(), atoms.end(), row_.begin() + kModifierAtoms);
}

void ArcFeatures::set_head(Index h, bool with_morph) {
  const auto atoms = atoms_->word(h);
  std::copy(atoms.begin(), atoms.end(), row_.begin());
  direction_ = direction_of_arc(h, modifier_);
  const auto own = [&](ArcAtom atom) -> std::uint64_t& {
    return row_[kOwnAtoms + static_cast<Index>(atom)];
  };
  own(ArcAtom::kDistance) = atoms_->distance(h, modifier_);
  own(ArcAtom::kBetween) = atoms_->between(h, modifier_);
  if (!with_morph) return;
  own(ArcAtom::kShared) = atoms_->shared(h, modifier_);
  own(ArcAtom::kClash) = atoms_->clash(h, modifier_);
  mid_tags_ = atoms_->tags_between(h, modifier_);
}

void ArcFeatures::set_head_alone(Index h, ArcDirection direction) {
  const auto atoms = atoms_->word(h);
  std::copy(atoms.begin(), atoms.end(), row_.begin());
  direction_ = direction;
}

std::string template_name(const ArcTemplate& named) {
  std::string name;
  for (const std::uint8_t atom : named.atoms) {
    if (atom == kZeroAtom) break;
    if (!name.empty()) name += ' ';
    if (atom >= kOwnAtoms) {
      name += kArcAtomNames[atom - kOwnAtoms];
    } else {
      name += kWordAtomNames[atom % kWordAtoms];
      name += atom < kModifierAtoms ? "(h)" : "(m)";
    }
  }
  return name;
}

std::string template_values(const ArcTemplate& named, const Sentence& sentence, Index head,
                            Index modifier, std::string_view mid) {
  std::string values;
  for (const std::uint8_t atom : named.atoms) {
    if (atom == kZeroAtom) break;
    if (!values.empty()) values += ' ';
    values += atom >= kOwnAtoms
                  ? own_text(static_cast<ArcAtom>(atom - kOwnAtoms), sentence, head, modifier, mid)
                  : atom_text(sentence, atom < kModifierAtoms ? head : modifier,
                              static_cast<WordAtom>(atom % kWordAtoms));
  }
  return values;
}

}  // namespace trellis::parse
