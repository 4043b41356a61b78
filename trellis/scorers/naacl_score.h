// The output of the official script of the shared tasks, wa_eval_align.pl of March 06, 2003
// (Mihalcea & Pedersen 2003), to the byte, including its behaviour on odd input:
//
//   * A line is 'sentence source target [S|P] [confidence]', split at blanks; confidence and mark
//     may change places. Without a mark the link is sure. A line is ignored if it has a mark other
//     than S or P, a confidence with characters other than digits and points but no mark, or a
//     sixth column.
//   * Links are texts: sentence 0001 is not sentence 1. Word 0 is a word like any other.
//   * A link counts once among the sure and once among the possible links; a link marked as both
//     counts in both. So AER can be less than 0, and the PROBABLE recall has too large a
//     denominator if the gold standard lists its sure links again as possible.
//   * AER is 0 if nothing was submitted.
//   * A line of fewer than three columns, even a blank one, ends the script without a result:
//     InputError here.
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
