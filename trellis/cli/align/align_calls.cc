#include "trellis/cli/align/align_calls.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::align {

BitextFiles TextCall::text() const {
  if (files.size() > 2) throw UsageError("expected a source and a target file, or one with both");
  return {files.front(), files.size() == 2 ? files[1] : "", separator};
}

void add_separator(cli::Command& command, TextCall& call) {
  command.option("--separator", call.separator,
                 "Between the two sides of one file [seen from its first line]");
}

ExtraFiles ExtrasCall::files() const {
  ExtraFiles files;
  for (const std::string& text : external) files.external.push_back(parse_external(text));
  if (!tags.empty()) {
    if (tags.size() != 2) throw UsageError("expected the tags of the source and of the target");
    files.source_tags = tags[0];
    files.target_tags = tags[1];
  }
  return files;
}

void add_extras(cli::Command& command, ExtrasCall& call, const std::string& before) {
  const std::string of = before.empty() ? "" : " of --dev";
  command
      .option("--" + before + "external", call.external,
              "NAME=FILE: the links" + of +
                  " that another aligner has found, in any format; may "
                  "be said several times")
      .repeats();
  command
      .option("--" + before + "tags", call.tags,
              "Two files with the tags" + of + " of the source and of the target, one a word")
      .takes(2);
}

void add_model_decoding(cli::Command& command, DecodingOptions& decoding) {
  add_decoding(command, decoding, "[the model's]");
  command
      .option("--offset", decoding.offset,
              "Of models trained with links: added to every link's score, for more links or "
              "fewer")
      .between(-1000, 1000);
  add_search_limit(command, decoding.search_limit);
}

void add_search_limit(cli::Command& command, std::optional<Index>& limit) {
  command
      .option(
          "--search-limit", limit,
          fmt::format("Maximum number of subproblems in the search for the best links of a pair "
                      "(--quadratic); where it is reached, the best links found are used "
                      "[{}]",
                      kSearchLimit))
      .between(1, 1'000'000'000);
}

void add_links_form(cli::Command& command, LinksCall& call, const std::string& options) {
  command.option("--gold-format", call.format, "Of " + options + " [seen from its first line]");
  command.flag("--gold-swapped", call.swapped,
               "In " + options + " the target word of a link comes first");
}

void add_decoding(cli::Command& command, DecodingOptions& decoding, const std::string& standard) {
  command.option("--symmetrise", decoding.combination,
                 "How the two directions are combined\n"
                 "product: links whose posteriors, multiplied, reach --threshold\n"
                 "forward, reverse: one of them alone\n" +
                     standard);
  command.option("--decode", decoding.decode,
                 "Of each direction, where that is not product\nviterbi: its best alignment\n"
                 "posterior: links whose posterior reaches --threshold");
  command.option("--threshold", decoding.threshold, "Least posterior of a link, 0 to 1")
      .between(0, 1);
}

}  // namespace trellis::align
