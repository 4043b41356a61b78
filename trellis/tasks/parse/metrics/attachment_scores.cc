#include "trellis/tasks/parse/metrics/attachment_scores.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include "trellis/base/text.h"

namespace trellis::parse {
namespace {

constexpr std::array kPunctuations = {Punctuation::kScored, Punctuation::kLeftOut};

Value record_of(const AttachmentCounts& counts) {
  return Value::record({{"words", counts.words},
                        {"uas", counts.uas()},
                        {"las", counts.las()},
                        {"label_accuracy", counts.label_accuracy()}});
}

Value record_of(std::string_view key, std::string_view name, const ClassCounts& counts) {
  return Value::record({{std::string(key), name},
                        {"gold", counts.gold},
                        {"system", counts.system},
                        {"uas", counts.uas()},
                        {"precision", counts.precision()},
                        {"recall", counts.recall()},
                        {"f1", counts.f1()}});
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

}  // namespace

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

Value AttachmentScores::record() const {
  const AttachmentTally& all = tally(Punctuation::kScored);
  Value scores = record_of(all.total);
  scores["without_punctuation"] = record_of(counts(Punctuation::kLeftOut));
  scores["sentences"] = num_sentences_;
  scores["right_trees"] = right_trees_;
  scores["right_labelled_trees"] = right_labelled_trees_;
  scores["by_label"] = Value::list();
  for (const auto& [label, counts] : all.by_label) {
    scores["by_label"].push_back(record_of("label", label, counts));
  }
  scores["by_distance"] = Value::list();
  for (Index i = 0; i < all.by_distance.size(); ++i) {
    const std::string_view name = to_string(static_cast<HeadDistance>(i));
    scores["by_distance"].push_back(record_of("distance", name, all.by_distance[i]));
  }
  return scores;
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
