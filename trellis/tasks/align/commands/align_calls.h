// What the commands of `align` have in common: where sentence pairs and their links are, and how
// links are shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/frame/command.h"
#include "trellis/tasks/align/pair_extras.h"
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

// What is known of the pairs beside their words, as it was written.
struct ExtrasCall {
  std::vector<std::string> external;  // NAME=FILE, each
  std::vector<std::string> tags;      // the source's and the target's

  ExtraFiles files() const;  // throws UsageError
};

void add_separator(frame::Command& command, TextCall& call);
// "--external" and "--tags", with `before` behind the dashes.
void add_extras(frame::Command& command, ExtrasCall& call, const std::string& before = "");
// `options`: those that name files of gold links.
void add_links_form(frame::Command& command, LinksCall& call,
                    const std::string& options = "--gold");
// `standard`: how the help on --symmetrise ends.
void add_decoding(frame::Command& command, DecodingOptions& decoding, const std::string& standard);

void add_search_limit(frame::Command& command, std::optional<Index>& limit);
// Of commands that use a model; it has `--offset` and `--search-limit` besides.
void add_model_decoding(frame::Command& command, DecodingOptions& decoding);

void add_train(frame::Command& align);
void add_explain(frame::Command& align);

}  // namespace trellis::align
