#include "trellis/cli/classify/commands.h"

namespace trellis::cli {

void add_classify(CLI::App& program, int& status) {
  CLI::App* classify = program.add_subcommand(
      "classify",
      "One label for each document: topics, languages, sentiments, or any sparse vectors.\n\n"
      "Files have a document per line: label TAB text, or id TAB label TAB text, or LIBSVM's "
      "(SVMlight's) label index:value ... Gzip and zstd are read as they are; '-' is standard "
      "input.");
  classify->require_subcommand(1);
  add_classify_train(*classify, status);
  add_classify_predict(*classify, status);
  add_classify_evaluate(*classify, status);
  add_classify_inspect(*classify, status);
}

}  // namespace trellis::cli
