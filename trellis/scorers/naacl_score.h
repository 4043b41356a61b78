// What the official script of the shared tasks prints, wa_eval_align.pl of March 06, 2003 (Mihalcea
// & Pedersen 2003), to the byte, and with what it does on odd input:
//
//   * A line is 'sentence source target [S|P] [confidence]', split at blanks; confidence and mark
//     may change places. Without a mark the link is sure. A mark that is neither S nor P, a
//     confidence of other characters than digits and points where there is no mark, or a sixth
//     column make the line count for nothing.
//   * Links are texts: sentence 0001 is not sentence 1. Word 0 is a word like any other.
//   * A link counts once among the sure and once among the possible ones; what is told as both
//     counts in both. So AER can be less than 0, and the PROBABLE recall of gold that tells its
//     sure links again as possible has too large a denominator.
//   * AER is 0 where nothing was submitted.
//   * A line of fewer than three columns, be it blank, ends the script without a figure: InputError
//     here.
#pragma once

#include <string>

#include "trellis/base/input_file.h"

namespace trellis::align {

struct NaaclFigures {
  double precision = 0;
  double recall = 0;
  double f = 0;
};

struct NaaclScore {
  NaaclFigures sure;      // sure links submitted, against sure ones
  NaaclFigures probable;  // all links submitted, against all
  double aer = 0;

  std::string to_text() const;  // the script's output
};

NaaclScore naacl_score(InputFile gold, InputFile submission);

}  // namespace trellis::align
