#include "trellis/cli/tag_commands.h"

namespace trellis::cli {

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--threads", options.threads, "Threads to use; 0: all cores")
      ->capture_default_str();
  app.add_flag("--json", options.json, "Print one JSON object with stable keys");
  app.add_flag("--quiet", options.quiet, "No notes and no progress");
}

void refuse_negative_counts(CLI::App& app) {
  const CLI::Validator not_negative(
      [](std::string& text) {
        return text.empty() || text.front() != '-' ? std::string()
                                                   : "expected a number from 0 on, found " + text;
      },
      "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_type_name().starts_with("UINT")) option->check(not_negative);
  }
}

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
