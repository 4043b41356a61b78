// The brackets of two trees of one sentence compared as EVALB does it (Sekine & Collins 1997; the
// measures are those of Black et al. 1991).
//
// A gold bracket is found if there is a test bracket of the same span and label that no other gold
// bracket has taken; the first free one is taken. Labels are cut at the first '-' or '='. A test
// bracket crosses if any gold bracket overlaps it without being inside or outside. Brackets that
// are deleted by their label or have no words left do neither.
//
// Time is that of comparing all pairs of brackets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/scorers/evalb_parameters.h"
#include "trellis/scorers/evalb_tree.h"

namespace trellis::grammar {

enum class SentenceStatus {
  kValid,
  kError,    // the lines are no trees, or of other words
  kSkipped,  // the test tree has no word that counts
};
constexpr auto names_of(SentenceStatus) {
  return Names{"status of a sentence", "valid", "error", "skipped"};
}

// A line of EVALB's table. Sentences with a status other than kValid are in no sum, but unbalanced
// brackets still have counts.
struct SentenceScore {
  SentenceStatus status = SentenceStatus::kValid;
  Index length = 0;  // of gold
  Index matched = 0;
  Index gold = 0;
  Index test = 0;
  Index crossing = 0;  // of test's brackets
  Index words = 0;
  Index right_tags = 0;

  bool is_complete() const { return gold == test && test == matched; }
  // In percent.
  double recall() const { return percent(matched, gold); }
  double precision() const { return percent(matched, test); }
  double tag_accuracy() const { return percent(right_tags, words); }

  bool operator==(const SentenceScore&) const = default;
};

enum class BracketVerdict {
  kLeftOut,
  kMissed,  // the other tree has none that matches
  kMatched,
};

struct BracketMatch {
  SentenceScore score;
  std::string fault;  // why the status is kError, but for faults of the lines; or empty
  std::vector<BracketVerdict> gold;  // by bracket, in preorder; empty unless brackets were compared
  std::vector<BracketVerdict> test;
};

BracketMatch match_brackets(EvalbTree gold, EvalbTree test, const EvalbParameters& parameters);

// "NP-SBJ-1" → "NP", "-NONE-" → "".
std::string_view without_function_tags(std::string_view label);

}  // namespace trellis::grammar
