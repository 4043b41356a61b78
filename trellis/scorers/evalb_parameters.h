// The parameter files of EVALB, the scorer of constituency trees (Sekine & Collins 1997; evalb.h):
// which labels and words do not count, and which are equal.
//
//   MAX_ERROR 10                     stop after this many faults and one more
//   CUTOFF_LEN 40                    sentences up to this length also have scores of their own
//   LABELED 1                        0: compare spans only
//   DELETE_LABEL TOP                 ignored brackets; tags of ignored words
//   DELETE_LABEL_FOR_LENGTH -NONE-   tags of words that do not count for the length
//   QUOTE_LABEL POS                  tags of quotation marks, right or wrong
//   EQ_LABEL ADVP PRT                labels and tags that are equal
//   EQ_WORD colour color             words that are equal
//   DEBUG 0                          is read and ignored
//
// Lines that begin with '#' are comments.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::grammar {

// The defaults are EVALB's without a parameter file: nothing is deleted, nothing equal.
struct EvalbParameters {
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  bool labelled = true;
  Index max_errors = 10;
  Index cutoff = 40;  // words
  std::vector<std::string> deleted;
  std::vector<std::string> deleted_for_length;
  std::vector<std::string> quotes;
  Pairs equal_labels;
  Pairs equal_words;

  // COLLINS.prm, the standard for results on the Penn Treebank since Collins (1997): punctuation,
  // traces and TOP are left out, PRT is ADVP.
  static EvalbParameters collins();

  bool deletes(std::string_view tag) const;
  bool counts_for_length(std::string_view tag) const;
  bool is_quote(std::string_view tag, std::string_view word) const;  // the words ' and " and /
  bool same_label(std::string_view a, std::string_view b) const;
  bool same_word(std::string_view a, std::string_view b) const;
  // Whether the bracket's label, without function tags, is a deleted label.
  bool deletes_bracket(std::string_view label) const;

  bool operator==(const EvalbParameters&) const = default;
};

// Throws InputError for an unknown keyword, a missing value and an invalid number; EVALB prints a
// warning and continues.
EvalbParameters read_evalb_parameters(InputFile file);

}  // namespace trellis::grammar
