#include "trellis/cli/command_options.h"

#include <string>

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

}  // namespace trellis::cli
