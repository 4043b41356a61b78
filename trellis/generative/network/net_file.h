// Networks as plain text, a line each for a variable with its values, its parents, and, where they
// are known, its probabilities given values of the parents:
//
//   variable smoke yes no
//   variable lung yes no          # comments run to the end of a line
//   lung <- smoke
//   p smoke : 0.5 0.5
//   p lung | yes : 0.1 0.9
//   p lung | no : 0.01 0.99
//
// Words are separated by blanks. A variable without a line of parents has none. A file has all
// probabilities, or none: then they are to be estimated.
#pragma once

#include <string>

#include "trellis/base/input_file.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/generative/network/network_file.h"

namespace trellis {

// Variables are declared before they are spoken of, and parents before probabilities. Throws
// InputError, with the line, for anything else.
NetworkFile read_net(InputFile file);

// The network as such a file, with file_probabilities(). Throws UsageError for names that are no
// word of it: with blanks or '#' in them, or "|", ":" or "<-".
std::string to_net(const BayesNetwork& network);

}  // namespace trellis
