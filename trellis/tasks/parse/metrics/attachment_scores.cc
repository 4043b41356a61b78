#include "trellis/tasks/parse/metrics/attachment_scores.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include "trellis/base/text.h"

namespace trellis::parse {
namespace {

constexpr std::array kPunctuations = {Punctuation::kScored, Punctuation::kLeftOut};

std::string_view column(const std::string& text) {
  return text.empty() ? std::string_view("_") : text;
}

double ratio(Index part, Index whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

template <class Counts>
Counts& at(std::map<std::string, Counts, std::less<>>& classes, std::string_view name) {
  const auto found = classes.find(name);
  return found != classes.end() ? found->second : classes[std::string(name)];
}

nlohmann::json json_of(const AttachmentCounts& counts) {
  return {{"words", counts.words},
          {"uas", counts.uas()},
          {"las", counts.las()},
          {"label_accuracy", counts.label_accuracy()}};
}

nlohmann::json json_of(std::string_view key, std::string_view name, const ClassCounts& counts) {
  return {{std::string(key), std::string(name)},
          {"gold", counts.gold},
          {"system", counts.system},
          {"uas", counts.uas()},
          {"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f1", counts.f1()}};
}

void append_row(std::string_view name, const ClassCounts& counts, std::string& out) {
  std::string padded(name);
  padded.resize(padded.size() + 16 - std::min<Index>(utf8_length(name), 16), ' ');
  fmt::format_to(std::back_inserter(out), "{} {:7} {:7} {:9.2f} {:9.2f} {:9.2f} {:9.2f}\n", padded,
                 counts.gold, counts.system, counts.uas(), counts.precision(), counts.recall(),
                 counts.f1());
}

void append_heading(std::string_view name, std::string& out) {
  fmt::format_to(std::back_inserter(out), "\n{:16} {:>7} {:>7} {:>9} {:>9} {:>9} {:>9}\n", name,
                 "gold", "system", "UAS", "precision", "recall", "F1");
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
  return ratio(heads, gold);
}
double ClassCounts::recall() const {
  return ratio(both, gold);
}
double ClassCounts::precision() const {
  return ratio(both, system);
}
double ClassCounts::f1() const {
  return ratio(2 * both, gold + system);
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

void AttachmentScores::add(const Sentence& gold, const Sentence& system) {
  assert(gold.size() == system.size());
  for (std::uint32_t m = 1; m <= gold.size(); ++m) {
    assert(gold.word(m).head != kNoHead && system.word(m).head != kNoHead);
    tallies_[0].add(gold.word(m), system.word(m), m);
    if (is_punctuation_word(gold.word(m).form)) {
      ++tallies_[1].left_out;
    } else {
      tallies_[1].add(gold.word(m), system.word(m), m);
    }
  }
  const AttachmentCounts counts = attachment_counts(gold, system, Punctuation::kScored);
  ++num_sentences_;
  right_trees_ += counts.heads == counts.words ? 1 : 0;
  right_labelled_trees_ += counts.both == counts.words ? 1 : 0;
}

AttachmentScores& AttachmentScores::operator+=(const AttachmentScores& other) {
  for (Index i = 0; i < tallies_.size(); ++i) tallies_[i] += other.tallies_[i];
  num_sentences_ += other.num_sentences_;
  right_trees_ += other.right_trees_;
  right_labelled_trees_ += other.right_labelled_trees_;
  return *this;
}

nlohmann::json AttachmentScores::to_json() const {
  const AttachmentTally& all = tally(Punctuation::kScored);
  nlohmann::json out = json_of(all.total);
  out["without_punctuation"] = json_of(counts(Punctuation::kLeftOut));
  out["sentences"] = num_sentences_;
  out["right_trees"] = right_trees_;
  out["right_labelled_trees"] = right_labelled_trees_;
  out["by_label"] = nlohmann::json::array();
  for (const auto& [label, counts] : all.by_label) {
    out["by_label"].push_back(json_of("label", label, counts));
  }
  out["by_distance"] = nlohmann::json::array();
  for (Index i = 0; i < all.by_distance.size(); ++i) {
    const std::string_view name = to_string(static_cast<HeadDistance>(i));
    out["by_distance"].push_back(json_of("distance", name, all.by_distance[i]));
  }
  return out;
}

std::string AttachmentScores::to_text() const {
  std::string out =
      fmt::format("{:20} {:>7} {:>7} {:>7} {:>7}\n", "", "words", "UAS", "LAS", "labels");
  for (const Punctuation punctuation : kPunctuations) {
    const AttachmentCounts& c = counts(punctuation);
    const bool all = punctuation == Punctuation::kScored;
    fmt::format_to(std::back_inserter(out), "{:20} {:7} {:7.2f} {:7.2f} {:7.2f}\n",
                   all ? "all words" : "without punctuation", c.words, c.uas(), c.las(),
                   c.label_accuracy());
  }
  fmt::format_to(std::back_inserter(out),
                 "\n{} of {} sentences have the right tree, {} with all labels\n", right_trees_,
                 num_sentences_, right_labelled_trees_);
  const AttachmentTally& all = tally(Punctuation::kScored);
  append_heading("label", out);
  for (const auto& [label, counts] : all.by_label) append_row(label, counts, out);
  append_heading("distance", out);
  for (Index i = 0; i < all.by_distance.size(); ++i) {
    append_row(to_string(static_cast<HeadDistance>(i)), all.by_distance[i], out);
  }
  return out;
}

}  // namespace trellis::parse
