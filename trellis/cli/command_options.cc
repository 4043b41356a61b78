#include "trellis/cli/command_options.h"

#include <string>

namespace trellis::cli {

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--threads", options.threads, "Threads to use; 0: all cores")
      ->capture_default_str();
  app.add_flag("--json", options.json, "Print one JSON object with stable keys");
  app.add_flag("--quiet", options.quiet, "No notes and no progress");
}

void add_run_options(CLI::App& app, const RunOptions& options, const std::string& page) {
  const std::string group = "Run";
  app.add_option("--checkpoint", options.checkpoint,
                 "Where Ctrl-C leaves the state [MODEL.checkpoint]")
      ->group(group);
  app.add_flag("--resume", options.resume,
               "Go on from the checkpoint, to the model of an uninterrupted run")
      ->group(group);
  app.add_option("--history", options.history, "Write a line of JSON for each epoch")->group(group);
  app.add_option("--report", options.report, "Write a page with " + page)->group(group);
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

}  // namespace trellis::cli
