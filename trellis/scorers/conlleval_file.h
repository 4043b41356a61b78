// Reads files as conlleval does, the scorer of the CoNLL-2000 shared task (Tjong Kim Sang &
// Buchholz 2000; conlleval.h): one token per line, fields with one delimiter between them, of which
// the last two are the gold label and the predicted one. An empty line, or one whose first field is
// "-X-", ends a sentence. "-DOCSTART-" is an ordinary token. Every line has the same number of
// fields; empty ones at its end do not count, as Perl's split drops them.
//
// Differences: the delimiter is a text, not a regular expression, and a carriage return at the end
// of a line is removed.
#pragma once

#include <string>

#include "trellis/base/input_file.h"
#include "trellis/scorers/conlleval.h"

namespace trellis::tag {

struct ConllevalOptions {
  bool raw = false;             // -r: labels without B- and I-, every token is a chunk
  std::string outside = "O";    // -o: with raw, a label that is none, beside O
  std::string delimiter = " ";  // -d
};

// The script's counts, by its own rules. Throws InputError for lines that the script refuses, and
// UsageError for an empty delimiter. An empty file is accepted.
SpanMetrics read_conlleval(InputFile file, const ConllevalOptions& options);

}  // namespace trellis::tag
