#include "trellis/scorers/bracket_match.h"

#include <algorithm>

#include <fmt/format.h>

namespace trellis::grammar {
namespace {

// Brackets that were to come move on by a word, those that were open get longer.
void put_back(const EvalbTree::Quote& quote, EvalbTree& tree) {
  tree.words.insert(tree.words.begin() + quote.at, quote.word);
  for (Index k = quote.next_bracket; k < tree.brackets.size(); ++k) {
    ++tree.brackets[k].begin;
    ++tree.brackets[k].end;
  }
  for (const Index k : quote.open) ++tree.brackets[k].end;
}

// Quote k, and all others are a word later then.
void put_back(Index k, EvalbTree& tree) {
  put_back(tree.quotes[k], tree);
  for (; k < tree.quotes.size(); ++k) ++tree.quotes[k].at;
}

// Where both trees have a quotation mark, and only one of them has it as punctuation, it becomes a
// word of both.
void restore_quotes(const EvalbParameters& parameters, EvalbTree& gold, EvalbTree& test) {
  for (Index i = 0; i < test.quotes.size(); ++i) {
    const int place = test.quotes[i].at;
    for (Index j = 0; j < gold.quotes.size(); ++j) {
      if (gold.quotes[j].at != place) continue;
      const bool gold_deletes = parameters.deletes(gold.quotes[j].word.tag);
      const bool test_deletes = parameters.deletes(test.quotes[i].word.tag);
      if (gold_deletes && !test_deletes) put_back(j, gold);
      if (test_deletes && !gold_deletes) put_back(i, test);
    }
  }
}

std::vector<BracketVerdict> judge_labels(const EvalbParameters& parameters, EvalbTree& tree) {
  std::vector<BracketVerdict> verdicts;
  verdicts.reserve(tree.brackets.size());
  for (EvalbTree::Bracket& bracket : tree.brackets) {
    bracket.label = without_function_tags(bracket.label);
    const bool left_out = bracket.begin == bracket.end || parameters.deletes_bracket(bracket.label);
    verdicts.push_back(left_out ? BracketVerdict::kLeftOut : BracketVerdict::kMissed);
  }
  return verdicts;
}

Index count_judged(const std::vector<BracketVerdict>& verdicts) {
  return verdicts.size() -
         static_cast<Index>(std::count(verdicts.begin(), verdicts.end(), BracketVerdict::kLeftOut));
}

void match_spans(const EvalbTree& gold, const EvalbTree& test, const EvalbParameters& parameters,
                 BracketMatch& match) {
  for (Index i = 0; i < gold.brackets.size(); ++i) {
    if (match.gold[i] == BracketVerdict::kLeftOut) continue;
    const EvalbTree::Bracket& a = gold.brackets[i];
    for (Index j = 0; j < test.brackets.size(); ++j) {
      const EvalbTree::Bracket& b = test.brackets[j];
      if (match.test[j] != BracketVerdict::kMissed || a.begin != b.begin || a.end != b.end)
        continue;
      if (parameters.labelled && !parameters.same_label(a.label, b.label)) continue;
      match.gold[i] = match.test[j] = BracketVerdict::kMatched;
      ++match.score.matched;
      break;
    }
  }
}

bool crosses(const EvalbTree::Bracket& a, const EvalbTree::Bracket& b) {
  return (a.begin < b.begin && b.begin < a.end && a.end < b.end) ||
         (b.begin < a.begin && a.begin < b.end && b.end < a.end);
}

Index count_crossing(const EvalbTree& gold, const EvalbTree& test, const BracketMatch& match) {
  Index crossing = 0;
  for (Index j = 0; j < test.brackets.size(); ++j) {
    if (match.test[j] == BracketVerdict::kLeftOut) continue;
    for (Index i = 0; i < gold.brackets.size(); ++i) {
      if (match.gold[i] == BracketVerdict::kLeftOut) continue;
      if (!crosses(gold.brackets[i], test.brackets[j])) continue;
      ++crossing;
      break;
    }
  }
  return crossing;
}

// Why the sentences are not the same, or nothing.
std::string difference_of_words(const EvalbTree& gold, const EvalbTree& test,
                                const EvalbParameters& parameters) {
  if (gold.words.size() != test.words.size()) {
    return fmt::format("Length unmatch ({}|{})", gold.words.size(), test.words.size());
  }
  for (Index t = 0; t < gold.words.size(); ++t) {
    if (!parameters.same_word(gold.words[t].word, test.words[t].word)) {
      return fmt::format("Words unmatch ({}|{})", gold.words[t].word, test.words[t].word);
    }
  }
  return {};
}

}  // namespace

std::string_view without_function_tags(std::string_view label) {
  return label.substr(0, std::min(label.find_first_of("-="), label.size()));
}

BracketMatch match_brackets(EvalbTree gold, EvalbTree test, const EvalbParameters& parameters) {
  BracketMatch match;
  SentenceScore& score = match.score;
  score.length = gold.length;
  if (!gold.faults.empty() || !test.faults.empty()) score.status = SentenceStatus::kError;
  if (test.words.empty()) {
    score.status = SentenceStatus::kSkipped;
    return match;
  }
  if (gold.words.size() != test.words.size()) restore_quotes(parameters, gold, test);
  match.fault = difference_of_words(gold, test, parameters);
  if (!match.fault.empty()) {
    score.status = SentenceStatus::kError;
    return match;
  }
  match.gold = judge_labels(parameters, gold);
  match.test = judge_labels(parameters, test);
  score.gold = count_judged(match.gold);
  score.test = count_judged(match.test);
  match_spans(gold, test, parameters, match);
  score.crossing = count_crossing(gold, test, match);
  score.words = gold.words.size();
  for (Index t = 0; t < gold.words.size(); ++t) {
    if (parameters.same_label(gold.words[t].tag, test.words[t].tag)) ++score.right_tags;
  }
  return match;
}

}  // namespace trellis::grammar
