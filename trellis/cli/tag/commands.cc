#include "trellis/cli/tag/commands.h"

namespace trellis::cli {

void add_tag(CLI::App& program, int& status) {
  CLI::App* tag = program.add_subcommand(
      "tag",
      "Label sequences: parts of speech, chunks, named entities, slots.\n\n"
      "Files have a token per line in columns (CoNLL), an empty line between sentences, and the "
      "label in "
      "the last column. Gzip and zstd are read as they are; '-' is standard input.");
  tag->require_subcommand(1);
  add_tag_train(*tag, status);
  add_tag_predict(*tag, status);
  add_tag_evaluate(*tag, status);
  add_tag_inspect(*tag, status);
  add_tag_explain(*tag, status);
}

}  // namespace trellis::cli
