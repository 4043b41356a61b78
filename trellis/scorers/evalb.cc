#include "trellis/scorers/evalb.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace trellis::grammar {
namespace {

constexpr std::string_view kRule =
    "============================================================================\n";

// No number where both are 0, as in EVALB; in its order of operations.
double evalb_f(double recall, double precision) {
  return 2 * precision * recall / (precision + recall);
}

double f_or_zero(double recall, double precision) {
  return precision + recall > 0 ? evalb_f(recall, precision) : 0;
}

void append_sentence(Index number, const SentenceScore& s, std::string& out) {
  out += fmt::format(
      "{:4}  {:3}    {}  {:6.2f} {:6.2f}   {:3}    {:3}  {:3}    {:3}   {:4}  {:4}   {:6.2f}\n",
      number, s.length, static_cast<int>(s.status), s.recall(), s.precision(), s.matched, s.gold,
      s.test, s.crossing, s.words, s.right_tags, s.tag_accuracy());
}

void append_summary(const EvalbSums& s, std::string& out) {
  const double f = evalb_f(s.recall(), s.precision());
  const auto add = [&](std::string_view name, const std::string& value) {
    out += fmt::format("{:<25} = {:>6}\n", name, value);
  };
  const auto count = [](Index n) { return fmt::format("{}", n); };
  const auto figure = [](double x) { return fmt::format("{:.2f}", x); };
  add("Number of sentence", count(s.sentences));
  add("Number of Error sentence", count(s.errors));
  add("Number of Skip  sentence", count(s.skipped));
  add("Number of Valid sentence", count(s.valid()));
  add("Bracketing Recall", figure(s.recall()));
  add("Bracketing Precision", figure(s.precision()));
  add("Bracketing FMeasure", std::isnan(f) ? "-nan" : figure(f));
  add("Complete match", figure(s.complete_match()));
  add("Average crossing", figure(s.average_crossing()));
  add("No crossing", figure(s.no_crossing()));
  add("2 or less crossing", figure(s.at_most_two_crossing()));
  add("Tagging accuracy", figure(s.tag_accuracy()));
}

}  // namespace

double EvalbSums::f1() const {
  return f_or_zero(recall(), precision());
}

void EvalbSums::add(const SentenceScore& sentence) {
  ++sentences;
  if (sentence.status == SentenceStatus::kError) ++errors;
  if (sentence.status == SentenceStatus::kSkipped) ++skipped;
  if (sentence.status != SentenceStatus::kValid) return;
  matched += sentence.matched;
  gold += sentence.gold;
  test += sentence.test;
  if (sentence.is_complete()) ++complete;
  crossing += sentence.crossing;
  if (sentence.crossing == 0) ++without_crossing;
  if (sentence.crossing <= 2) ++two_or_less_crossing;
  words += sentence.words;
  right_tags += sentence.right_tags;
}

double CategoryScore::f1() const {
  return f_or_zero(recall(), precision());
}

Evalb::Evalb(EvalbParameters parameters) : parameters_(std::move(parameters)) {}

const BracketMatch& Evalb::add(std::string_view gold, std::string_view test) {
  return add(evalb_tree(gold, parameters_), evalb_tree(test, parameters_));
}

const BracketMatch& Evalb::add(const ConstituencyTree& gold, const ConstituencyTree& test) {
  return add(evalb_tree(gold, parameters_), evalb_tree(test, parameters_));
}

void Evalb::add(InputFile gold, InputFile test) {
  std::string_view gold_line;
  std::string_view test_line;
  while (!gave_up_ && gold.read_line(gold_line)) {
    if (!test.read_line(test_line)) {
      if (note_faults(evalb_tree(gold_line, parameters_))) {
        note_fault("Number of lines unmatch (too many lines in gold file)");
      }
      return;
    }
    add(gold_line, test_line);
  }
  if (!gave_up_ && test.read_line(test_line)) {
    note_fault("Number of lines unmatch (too many lines in test file)");
  }
}

const BracketMatch& Evalb::add(const EvalbTree& gold, const EvalbTree& test) {
  match_ = {};
  if (gave_up_ || !note_faults(gold) || !note_faults(test)) return match_;
  match_ = match_brackets(gold, test, parameters_);
  if (!match_.fault.empty() && !note_fault(match_.fault)) return match_;
  all_.add(match_.score);
  if (match_.score.length <= parameters_.cutoff) up_to_cutoff_.add(match_.score);
  sentences_.push_back(match_.score);
  if (match_.score.status == SentenceStatus::kValid) {
    count_categories(gold, match_.gold, &CategoryScore::gold, &CategoryScore::found);
    count_categories(test, match_.test, &CategoryScore::test, &CategoryScore::right);
  }
  return match_;
}

bool Evalb::note_faults(const EvalbTree& tree) {
  for (const std::string_view fault : tree.faults) {
    if (!note_fault(fault)) return false;
  }
  if (!tree.is_stuck) return true;
  note_fault("Reading sentence");
  gave_up_ = true;
  return false;
}

// EVALB continues after the maximum number of faults, and stops after one more.
bool Evalb::note_fault(std::string_view message) {
  faults_.push_back(fmt::format("{} : {}", sentences_.size() + 1, message));
  gave_up_ = faults_.size() > parameters_.max_errors + 1;
  return !gave_up_;
}

void Evalb::count_categories(const EvalbTree& tree, const std::vector<BracketVerdict>& verdicts,
                             Index CategoryScore::*all, Index CategoryScore::*matched) {
  for (Index i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] == BracketVerdict::kLeftOut) continue;
    const std::string_view label = without_function_tags(tree.brackets[i].label);
    auto place = categories_.find(label);
    if (place == categories_.end()) {
      place = categories_.emplace(std::string(label), CategoryScore{}).first;
    }
    ++(place->second.*all);
    if (verdicts[i] == BracketVerdict::kMatched) ++(place->second.*matched);
  }
}

std::string Evalb::table() const {
  std::string out =
      "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
      " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n";
  out += kRule;
  for (Index i = 0; i < sentences_.size(); ++i) append_sentence(i + 1, sentences_[i], out);
  if (gave_up_) return out;
  out += kRule;
  if (all_.gold > 0 && all_.test > 0) {
    out += fmt::format("                {:6.2f} {:6.2f} {:6} {:5} {:5}  {:5}", all_.recall(),
                       all_.precision(), all_.matched, all_.gold, all_.test, all_.crossing);
  }
  out += fmt::format("  {:5} {:5}   {:6.2f}\n", all_.words, all_.right_tags, all_.tag_accuracy());
  out += "=== Summary ===\n\n-- All --\n";
  append_summary(all_, out);
  out += fmt::format("\n-- len<={} --\n", parameters_.cutoff);
  append_summary(up_to_cutoff_, out);
  return out;
}

}  // namespace trellis::grammar
