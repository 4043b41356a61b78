// EVALB (Sekine & Collins, the release of November 2013), digit for digit: labelled recall and
// precision of brackets over a treebank, the standard comparison of parsers since Collins (1997).
//
//   recall = matched / gold's brackets,  precision = matched / test's,  F = 2 P R / (P + R)
//
// over all sentences, and over those of at most 40 words. Sentences with errors and skipped
// sentences (bracket_match.h) are counted, but do not enter the sums. After too many faults EVALB
// stops; then it prints a table of the sentences so far, and no sums.
//
// Differences: there are no limits on the length of lines, words and labels; a fault that EVALB
// repeats until it stops counts once here; and parameter files must be valid.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/scorers/bracket_match.h"
#include "trellis/scorers/evalb_parameters.h"

namespace trellis::grammar {

// Sums over a set of sentences.
struct EvalbSums {
  Index sentences = 0;
  Index errors = 0;
  Index skipped = 0;
  // Sums over the valid sentences.
  Index matched = 0;
  Index gold = 0;
  Index test = 0;
  Index complete = 0;  // sentences with the same brackets on both sides
  Index crossing = 0;  // brackets
  Index without_crossing = 0;
  Index two_or_less_crossing = 0;
  Index words = 0;
  Index right_tags = 0;

  Index valid() const { return sentences - errors - skipped; }
  // In percent, except average_crossing; 0 for an empty denominator (EVALB's F: not a number).
  double recall() const { return percent(matched, gold); }
  double precision() const { return percent(matched, test); }
  double f1() const;
  double complete_match() const { return percent(complete, valid()); }
  double average_crossing() const {
    return valid() == 0 ? 0 : static_cast<double>(crossing) / static_cast<double>(valid());
  }
  double no_crossing() const { return percent(without_crossing, valid()); }
  double at_most_two_crossing() const { return percent(two_or_less_crossing, valid()); }
  double tag_accuracy() const { return percent(right_tags, words); }

  void add(const SentenceScore& sentence);
  bool operator==(const EvalbSums&) const = default;
};

// Brackets of one label in valid sentences. `found` and `right` differ only if different labels are
// declared equal, such as ADVP and PRT.
struct CategoryScore {
  Index gold = 0;
  Index test = 0;
  Index found = 0;  // of gold's, matched by a bracket of test
  Index right = 0;  // of test's, matched by a bracket of gold

  // In percent; 0 for an empty denominator.
  double recall() const { return percent(found, gold); }
  double precision() const { return percent(right, test); }
  double f1() const;

  bool operator==(const CategoryScore&) const = default;
};

class Evalb {
 public:
  explicit Evalb(EvalbParameters parameters = EvalbParameters::collins());

  // Adds a line of both files, or a tree, which scores like its line with the root TOP (EVALB
  // counts a root without a label as a bracket). After too many faults it does nothing. The result
  // describes this sentence and is valid until the next call.
  const BracketMatch& add(std::string_view gold, std::string_view test);
  const BracketMatch& add(const ConstituencyTree& gold, const ConstituencyTree& test);
  // Adds all lines of both files; different numbers of lines are a fault.
  void add(InputFile gold, InputFile test);

  const EvalbParameters& parameters() const { return parameters_; }
  bool gave_up() const { return gave_up_; }
  const EvalbSums& all() const { return all_; }
  const EvalbSums& up_to_cutoff() const { return up_to_cutoff_; }
  const std::vector<SentenceScore>& sentences() const { return sentences_; }
  // By label without function tags.
  const std::map<std::string, CategoryScore, std::less<>>& categories() const {
    return categories_;
  }
  // EVALB's messages on faults, "4 : Words unmatch (Ann|Bob)", with the number of the sentence.
  const std::vector<std::string>& faults() const { return faults_; }

  // The text that EVALB prints.
  std::string table() const;

 private:
  const BracketMatch& add(const EvalbTree& gold, const EvalbTree& test);
  // Notes the faults of reading a line. False: too many faults.
  bool note_faults(const EvalbTree& tree);
  bool note_fault(std::string_view message);
  void count_categories(const EvalbTree& tree, const std::vector<BracketVerdict>& verdicts,
                        Index CategoryScore::*all, Index CategoryScore::*matched);

  EvalbParameters parameters_;
  BracketMatch match_;
  EvalbSums all_;
  EvalbSums up_to_cutoff_;
  std::vector<SentenceScore> sentences_;
  std::map<std::string, CategoryScore, std::less<>> categories_;
  std::vector<std::string> faults_;
  bool gave_up_ = false;
};

}  // namespace trellis::grammar
