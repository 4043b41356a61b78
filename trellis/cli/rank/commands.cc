#include "trellis/cli/rank/commands.h"

namespace trellis::cli {

void add_rank(CLI::App& program, int& status) {
  CLI::App* rank = program.add_subcommand(
      "rank",
      "Put the documents of a query into order, the most relevant first.\n\n"
      "Files are SVMlight's as LETOR has them, a document a line, those of a query together:\n"
      "  2 qid:10 1:0.5 3:0.25 # a note");
  rank->require_subcommand(1);
  add_rank_train(*rank, status);
  add_rank_predict(*rank, status);
  add_rank_evaluate(*rank, status);
  add_rank_inspect(*rank, status);
}

}  // namespace trellis::cli
