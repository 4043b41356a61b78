// What the commands of `align` have in common: where sentence pairs and their links are, and how
// links are shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/cli/command.h"
#include "trellis/tasks/align/predict.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

// Sentence pairs, as they were written.
struct TextCall {
  std::vector<std::string> files;  // both sides, or one file with both
  std::optional<BitextSeparator> separator;

  BitextFiles text() const;  // throws UsageError where there are more than two
};

struct LinksCall {
  std::string file;
  std::optional<LinksFormat> format;
  bool swapped = false;

  LinkFiles links() const { return {file, {format, swapped}}; }
};

void add_separator(cli::Command& command, TextCall& call);
// `options`: those that name files of gold links.
void add_links_form(cli::Command& command, LinksCall& call, const std::string& options = "--gold");
// `standard`: how the help on --symmetrise ends.
void add_decoding(cli::Command& command, DecodingOptions& decoding, const std::string& standard);

void add_train(cli::Command& align);

}  // namespace trellis::align
