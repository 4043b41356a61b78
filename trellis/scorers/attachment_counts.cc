#include "trellis/scorers/attachment_counts.h"

#include <algorithm>
#include <cassert>

#include "trellis/base/share.h"
#include "trellis/base/text.h"

namespace trellis::parse {
namespace {

std::string_view column(const std::string& text) {
  return text.empty() ? std::string_view("_") : text;
}

template <class Counts>
Counts& at(std::map<std::string, Counts, std::less<>>& classes, std::string_view name) {
  const auto found = classes.find(name);
  return found != classes.end() ? found->second : classes[std::string(name)];
}

template <class Counts>
void add_up(std::map<std::string, Counts, std::less<>>& sums,
            const std::map<std::string, Counts, std::less<>>& others) {
  for (const auto& [key, counts] : others) sums[key] += counts;
}

}  // namespace

bool is_punctuation_word(std::string_view form) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!form.empty() && letter(form.front())) return false;  // most words, and no need to decode
  std::u32string characters;
  decode_utf8(form, characters);
  return std::all_of(characters.begin(), characters.end(), is_punctuation);
}

void AttachmentCounts::add(bool head, bool label) {
  ++words;
  heads += head ? 1 : 0;
  labels += label ? 1 : 0;
  both += head && label ? 1 : 0;
}

AttachmentCounts& AttachmentCounts::operator+=(const AttachmentCounts& other) {
  words += other.words;
  heads += other.heads;
  labels += other.labels;
  both += other.both;
  return *this;
}

double ClassCounts::uas() const {
  return percent(heads, gold);
}
double ClassCounts::recall() const {
  return percent(both, gold);
}
double ClassCounts::precision() const {
  return percent(both, system);
}
double ClassCounts::f1() const {
  return percent(2 * both, gold + system);
}

ClassCounts& ClassCounts::operator+=(const ClassCounts& other) {
  gold += other.gold;
  system += other.system;
  agreed += other.agreed;
  heads += other.heads;
  both += other.both;
  return *this;
}

HeadDirection direction_of(std::uint32_t head, std::uint32_t modifier) {
  if (head == 0) return HeadDirection::kToRoot;
  if (head == modifier) return HeadDirection::kSelf;
  return head < modifier ? HeadDirection::kLeft : HeadDirection::kRight;
}

HeadDistance distance_of(std::uint32_t head, std::uint32_t modifier) {
  if (head == 0) return HeadDistance::kToRoot;
  const std::uint32_t distance = std::max(head, modifier) - std::min(head, modifier);
  if (distance <= 1) return HeadDistance::kOne;
  if (distance == 2) return HeadDistance::kTwo;
  return distance <= 6 ? HeadDistance::kThreeToSix : HeadDistance::kSevenOrMore;
}

void AttachmentTally::add(const Word& gold, const Word& system, std::uint32_t m) {
  const bool head = gold.head == system.head;
  const bool label = gold.label == system.label;
  total.add(head, label);
  at(by_tag, column(gold.coarse)).add(head, label);
  const auto count = [&](ClassCounts& of_gold, ClassCounts& of_system) {
    ++of_gold.gold;
    ++of_system.system;
    of_gold.agreed += &of_gold == &of_system ? 1 : 0;
    of_gold.heads += head ? 1 : 0;
    of_gold.both += head && label ? 1 : 0;
  };
  count(at(by_label, column(gold.label)), at(by_label, column(system.label)));
  const auto direction = [&](const Word& word) -> ClassCounts& {
    return by_direction[static_cast<Index>(direction_of(word.head, m))];
  };
  count(direction(gold), direction(system));
  const auto distance = [&](const Word& word) -> ClassCounts& {
    return by_distance[static_cast<Index>(distance_of(word.head, m))];
  };
  count(distance(gold), distance(system));
}

AttachmentTally& AttachmentTally::operator+=(const AttachmentTally& other) {
  total += other.total;
  left_out += other.left_out;
  add_up(by_tag, other.by_tag);
  add_up(by_label, other.by_label);
  for (Index i = 0; i < by_direction.size(); ++i) by_direction[i] += other.by_direction[i];
  for (Index i = 0; i < by_distance.size(); ++i) by_distance[i] += other.by_distance[i];
  return *this;
}

AttachmentCounts attachment_counts(const Sentence& gold, const Sentence& system,
                                   Punctuation punctuation) {
  assert(gold.size() == system.size());
  AttachmentCounts counts;
  for (Index i = 0; i < gold.size(); ++i) {
    const Word& word = gold.words[i];
    if (punctuation == Punctuation::kLeftOut && is_punctuation_word(word.form)) continue;
    counts.add(word.head == system.words[i].head, word.label == system.words[i].label);
  }
  return counts;
}

}  // namespace trellis::parse
