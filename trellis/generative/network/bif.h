// Networks in the Bayesian interchange format, version 0.15 (Cozman 1998), as in the repository of
// bnlearn:
//
//   network asia { }
//   variable smoke { type discrete [ 2 ] { yes, no }; }
//   variable lung { type discrete [ 2 ] { yes, no }; }
//   probability ( smoke ) { table 0.5, 0.5; }
//   probability ( lung | smoke ) { (yes) 0.1, 0.9; (no) 0.01, 0.99; }
//
// A block has a row for each assignment of the parents, "default" for those that have none, or
// "table" with all numbers, the variable itself running slowest and its last parent fastest. Commas
// are blanks; names and values may stand in double quotes; "property …;" and comments (// and /*
// */) are skipped. Variables are declared before they are spoken of.
#pragma once

#include <string>

#include "trellis/base/input_file.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/generative/network/network_file.h"

namespace trellis {

// Throws InputError, with the line, for anything else: unknown parents and values, things that are
// there twice or missing, tables that do not sum to one within 1e-3, cycles.
NetworkFile read_bif(InputFile file);

// The network as such a file, with file_probabilities() (network_file.h). Throws UsageError for
// names with quotes or control characters.
std::string to_bif(const BayesNetwork& network);

}  // namespace trellis
