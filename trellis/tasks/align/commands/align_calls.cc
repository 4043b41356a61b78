#include "trellis/tasks/align/commands/align_calls.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::align {

BitextFiles TextCall::text() const {
  if (files.size() > 2)
    throw UsageError("expected a source and a target file, or one file with both sides");
  return {files.front(), files.size() == 2 ? files[1] : "", separator};
}

void add_separator(frame::Command& command, TextCall& call) {
  command.option("--separator", call.separator,
                 "Separator between the two sides of one file [detected from its first line]");
}

ExtraFiles ExtrasCall::files() const {
  ExtraFiles files;
  for (const std::string& text : external) files.external.push_back(parse_external(text));
  if (!tags.empty()) {
    if (tags.size() != 2)
      throw UsageError("--tags requires two files: the tags of the source and of the target");
    files.source_tags = tags[0];
    files.target_tags = tags[1];
  }
  return files;
}

void add_extras(frame::Command& command, ExtrasCall& call, const std::string& before) {
  const std::string of = before.empty() ? "" : " of --dev";
  command
      .option("--" + before + "external", call.external,
              "NAME=FILE: links" + of + " found by another aligner, in any format; may be repeated")
      .repeats();
  command
      .option("--" + before + "tags", call.tags,
              "Two files with tags" + of + " of the source and of the target, one tag per word")
      .takes(2);
}

void add_model_decoding(frame::Command& command, DecodingOptions& decoding) {
  add_decoding(command, decoding, "[as in the model]");
  command
      .option(
          "--offset", decoding.offset,
          "Number added to every link's score, for more or fewer links (models trained with links)")
      .between(-1000, 1000);
  add_search_limit(command, decoding.search_limit);
}

void add_search_limit(frame::Command& command, std::optional<Index>& limit) {
  command
      .option("--search-limit", limit,
              fmt::format("Maximum number of subproblems in the search for the best links of a "
                          "pair (--quadratic); at the limit, the best links found are used [{}]",
                          kSearchLimit))
      .between(1, 1'000'000'000);
}

void add_links_form(frame::Command& command, LinksCall& call, const std::string& options) {
  command.option("--gold-format", call.format,
                 "Format of the links of " + options + " [detected from the first line]");
  command.flag("--gold-swapped", call.swapped,
               "The target word of a link comes first in " + options);
}

void add_decoding(frame::Command& command, DecodingOptions& decoding, const std::string& standard) {
  command.option("--symmetrise", decoding.combination,
                 "Method to combine the two directions\n"
                 "product: links whose product of posteriors reaches --threshold\n"
                 "forward, reverse: one direction only\n" +
                     standard);
  command.option("--decode", decoding.decode,
                 "Decoding of each direction, unless they are combined by product\n"
                 "viterbi: the best alignment\n"
                 "posterior: links whose posterior reaches --threshold");
  command
      .option("--threshold", decoding.threshold, "Minimum posterior probability of a link (0 to 1)")
      .between(0, 1);
}

}  // namespace trellis::align
