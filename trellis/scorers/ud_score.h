// What the script of the CoNLL 2018 shared task prints, conll18_ud_eval.py version 1.2 (Zeman et
// al. 2018), to the byte: the scores of parsers that divide the text into sentences and words
// themselves, so that the words of two treebanks are aligned first (ud_alignment.h).
//
// Each measure counts aligned words that agree: P = correct / system, R = correct / gold,
// F1 = 2 correct / (system + gold), and correct / aligned. Subtypes of labels ("nsubj:pass") and
// features that are not among UD's 21 do not count, nor do empty nodes, DEPS and MISC.
//
//   UAS, LAS          the head is aligned with the head; and the label is the same
//   CLAS, MLAS, BLEX  LAS of content words; with parts of speech, features and function words that
//                     hang on them; with lemmas. A lemma "_" of gold agrees with any.
#pragma once

#include <array>
#include <string>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/scorers/ud_treebank.h"

namespace trellis::parse {

enum class UdMeasure {
  kTokens,
  kSentences,
  kWords,
  kUpos,
  kXpos,
  kFeatures,
  kAllTags,
  kLemmas,
  kUas,
  kLas,
  kClas,
  kMlas,
  kBlex,
};
constexpr auto names_of(UdMeasure) {
  return Names{"measure of UD", "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats",
               "AllTags",       "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX"};
}
inline constexpr Index kUdMeasures = 13;

struct UdCounts {
  Index gold = 0;
  Index system = 0;
  Index correct = 0;
  Index aligned = 0;  // of words only

  // Shares, not percents; 0 where there is nothing.
  double precision() const { return share(correct, system); }
  double recall() const { return share(correct, gold); }
  double f1() const { return share(2 * correct, gold + system); }
  double aligned_accuracy() const { return share(correct, aligned); }
};

struct UdScore {
  std::array<UdCounts, kUdMeasures> measures;

  const UdCounts& operator[](UdMeasure measure) const {
    return measures[static_cast<Index>(measure)];
  }
  // The script's output without options, with -v, and with -c.
  std::string official() const;
  std::string table() const;
  std::string count_table() const;
};

// Throws InputError where the texts differ.
UdScore ud_score(const UdTreebank& gold, const UdTreebank& system);
// Of CoNLL-U files whose sentences are trees with one root, else InputError.
UdScore ud_score(InputFile gold, InputFile system);

}  // namespace trellis::parse
