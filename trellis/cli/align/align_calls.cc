#include "trellis/cli/align/align_calls.h"

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
