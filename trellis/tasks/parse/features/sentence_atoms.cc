#include "trellis/tasks/parse/features/sentence_atoms.h"

#include <algorithm>
#include <array>
#include <utility>

#include "trellis/base/text.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/scorers/attachment_counts.h"

namespace trellis::parse {
namespace {

constexpr std::string_view kRootText = "<root>";
constexpr std::string_view kEndText = "<end>";
constexpr Index kSuffixLength = 3;

constexpr std::array<std::string_view, 8> kDistanceTexts = {"1",   "2",    "3",     "4",
                                                            "5-6", "7-10", "11-20", "21-..."};

bool is_case_key(std::string_view key) {
  return key.size() == 4 && (key[0] == 'C' || key[0] == 'c') && (key[1] == 'a' || key[1] == 'A') &&
         (key[2] == 's' || key[2] == 'S') && (key[3] == 'e' || key[3] == 'E');
}

std::string_view case_of(std::string_view features) {
  while (!features.empty()) {
    const Index end = std::min(features.find('|'), features.size());
    const std::string_view item = features.substr(0, end);
    const Index equals = item.find('=');
    if (equals != std::string_view::npos && is_case_key(item.substr(0, equals))) {
      return item.substr(equals + 1);
    }
    features.remove_prefix(std::min(end + 1, features.size()));
  }
  return {};
}

constexpr Index place(WordAtom atom) {
  return static_cast<Index>(atom);
}

}  // namespace

std::uint8_t TagNumbers::number(std::string_view tag) const {
  const std::uint32_t id = tags_.find(tag);
  return static_cast<std::uint8_t>(id < std::min(tags_.size(), kMostTags) ? id + 1 : unknown());
}

void SentenceAtoms::assign(const Sentence& sentence, const TagNumbers& tags) {
  words_ = sentence.size();
  num_tags_ = tags.size();
  atoms_.resize((words_ + 1) * kWordAtoms);
  tags_.resize(words_ + 1);
  counts_.resize((words_ + 1) * num_tags_);
  marks_.resize(words_ + 1);
  morph_.clear();
  morph_begin_.assign(2, 0);
  if (tag_atoms_.size() != num_tags_) {
    tag_atoms_.resize(num_tags_);
    for (Index t = 0; t < num_tags_; ++t) tag_atoms_[t] = fingerprint("", t + 1);
  }
  std::fill_n(atoms_.begin(), kWordAtoms, fingerprint(kRootText));
  tags_[0] = kRootTag;
  marks_[0] = 0;
  std::fill_n(counts_.begin(), num_tags_, 0);
  for (Index i = 1; i <= words_; ++i) {
    const Word& word = sentence.words[i - 1];
    std::uint64_t* atoms = &atoms_[i * kWordAtoms];
    atoms[place(WordAtom::kForm)] = fingerprint(word.form);
    atoms[place(WordAtom::kLemma)] = fingerprint(word.lemma.empty() ? word.form : word.lemma);
    atoms[place(WordAtom::kCoarse)] = fingerprint(word.coarse);
    atoms[place(WordAtom::kFine)] = fingerprint(word.fine.empty() ? word.coarse : word.fine);
    atoms[place(WordAtom::kSuffix)] = fingerprint(utf8_suffix(word.form, kSuffixLength));
    add_morph(word.features, atoms);
    tags_[i] = tags.number(word.coarse);
    marks_[i] = marks_[i - 1] + (is_punctuation_word(word.form) ? 1 : 0);
    std::copy_n(&counts_[(i - 1) * num_tags_], num_tags_, &counts_[i * num_tags_]);
    ++counts_[i * num_tags_ + tags_[i]];
  }
  const std::uint64_t end = fingerprint(kEndText);
  for (Index i = 0; i <= words_; ++i) {
    std::uint64_t* atoms = &atoms_[i * kWordAtoms];
    const auto neighbour = [&](bool exists, Index j, WordAtom atom) {
      return exists ? atoms_[j * kWordAtoms + place(atom)] : end;
    };
    atoms[place(WordAtom::kCoarseBefore)] = neighbour(i > 0, i - 1, WordAtom::kCoarse);
    atoms[place(WordAtom::kFineBefore)] = neighbour(i > 0, i - 1, WordAtom::kFine);
    atoms[place(WordAtom::kCoarseAfter)] = neighbour(i < words_, i + 1, WordAtom::kCoarse);
    atoms[place(WordAtom::kFineAfter)] = neighbour(i < words_, i + 1, WordAtom::kFine);
  }
}

void SentenceAtoms::add_morph(const std::string& features, std::uint64_t* atoms) {
  atoms[place(WordAtom::kMorph)] = fingerprint(features);
  atoms[place(WordAtom::kCase)] = fingerprint("", 0);
  std::string_view rest = features;
  while (!rest.empty()) {
    const Index end = std::min(rest.find('|'), rest.size());
    const std::string_view item = rest.substr(0, end);
    const std::string_view key = item.substr(0, item.find('='));
    const MorphItem made{fingerprint(key), fingerprint(item)};
    morph_.push_back(made);
    if (is_case_key(key)) atoms[place(WordAtom::kCase)] = made.item;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  morph_begin_.push_back(morph_.size());
}

std::uint64_t SentenceAtoms::shared(Index head, Index modifier) const {
  std::uint64_t sum = 1;  // independent of their order
  for (const MorphItem& one : morph(head)) {
    for (const MorphItem& other : morph(modifier)) {
      if (one.item == other.item) sum += one.item;
    }
  }
  return sum;
}

std::uint64_t SentenceAtoms::clash(Index head, Index modifier) const {
  std::uint64_t sum = 1;
  for (const MorphItem& one : morph(head)) {
    for (const MorphItem& other : morph(modifier)) {
      if (one.key == other.key && one.item != other.item) sum += one.key;
    }
  }
  return sum;
}

std::uint64_t SentenceAtoms::tags_between(Index head, Index modifier) const {
  const Index low = std::min(head, modifier), high = std::max(head, modifier);
  if (high - low < 2) return 0;
  const std::uint32_t* before = &counts_[low * num_tags_];
  const std::uint32_t* after = &counts_[(high - 1) * num_tags_];
  std::uint64_t bits = 0;
  for (Index t = 0; t < num_tags_; ++t) {
    bits |= std::uint64_t{after[t] != before[t] ? 1U : 0U} << t;
  }
  return bits;
}

std::string atom_text(const Sentence& sentence, Index word, WordAtom atom) {
  if (word > sentence.size()) return std::string(kEndText);
  if (word == 0 && atom != WordAtom::kCoarseAfter && atom != WordAtom::kFineAfter) {
    const bool before = atom == WordAtom::kCoarseBefore || atom == WordAtom::kFineBefore;
    return std::string(before ? kEndText : kRootText);
  }
  const auto said = [](const std::string& text, const std::string& otherwise) {
    return text.empty() ? otherwise : text;
  };
  const auto neighbour = [&](Index i, WordAtom of) { return atom_text(sentence, i, of); };
  switch (atom) {
    case WordAtom::kCoarseBefore:
      return neighbour(word - 1, WordAtom::kCoarse);
    case WordAtom::kCoarseAfter:
      return neighbour(word + 1, WordAtom::kCoarse);
    case WordAtom::kFineBefore:
      return neighbour(word - 1, WordAtom::kFine);
    case WordAtom::kFineAfter:
      return neighbour(word + 1, WordAtom::kFine);
    default:
      break;
  }
  const Word& said_word = sentence.words[word - 1];
  switch (atom) {
    case WordAtom::kLemma:
      return said(said_word.lemma, said_word.form);
    case WordAtom::kCoarse:
      return said(said_word.coarse, "_");
    case WordAtom::kFine:
      return said(said_word.fine, said(said_word.coarse, "_"));
    case WordAtom::kMorph:
      return said(said_word.features, "_");
    case WordAtom::kCase:
      return said(std::string(case_of(said_word.features)), "_");
    case WordAtom::kSuffix:
      return "…" + std::string(utf8_suffix(said_word.form, kSuffixLength));
    default:
      return said_word.form;
  }
}

std::string_view distance_text(Index head, Index modifier) {
  return head == 0 ? kRootText : kDistanceTexts[distance_bucket(head, modifier)];
}

std::string between_text(const Sentence& sentence, Index head, Index modifier) {
  Index like_head = 0, like_modifier = 0, marks = 0;
  const auto coarse = [&](Index i) { return atom_text(sentence, i, WordAtom::kCoarse); };
  for (Index i = std::min(head, modifier) + 1; i < std::max(head, modifier); ++i) {
    like_head += coarse(i) == coarse(head) ? 1 : 0;
    like_modifier += coarse(i) == coarse(modifier) ? 1 : 0;
    marks += is_punctuation_word(sentence.words[i - 1].form) ? 1 : 0;
  }
  const auto up_to_two = [](Index number) {
    return number < 2 ? std::to_string(number) : std::string("2+");
  };
  return up_to_two(like_head) + "/" + up_to_two(like_modifier) + "/" + up_to_two(marks);
}

}  // namespace trellis::parse
