#include "trellis/cli/match/commands.h"

namespace trellis::cli {

void add_match(CLI::App& program, int& status) {
  CLI::App* match = program.add_subcommand(
      "match",
      "Learn which node belongs to which: bipartite graphs with features on their edges, points of "
      "two shapes.\n\n"
      "Graphs are text (a block of edges each); shapes are point files, frames of a table, or "
      "silhouettes in pictures, and come as lists of pairs. docs/matching.md says more.");
  match->require_subcommand(1);
  add_match_train(*match, status);
  add_match_predict(*match, status);
  add_match_evaluate(*match, status);
  add_match_inspect(*match, status);
}

}  // namespace trellis::cli
