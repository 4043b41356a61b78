#include "trellis/formats/links/link_reader.h"

#include <memory>
#include <string_view>

#include "trellis/base/text.h"
#include "trellis/formats/links/link_collector.h"
#include "trellis/formats/links/link_lines.h"

namespace trellis::align {

std::vector<GoldLinks> read_links(InputFile file, std::span<const PairLengths> lengths,
                                  const LinkReadingOptions& options) {
  LinkCollector links(file.name(), lengths, options);
  std::optional<LinksFormat> format;
  std::unique_ptr<LinkLines> lines;
  Index blank = 0;  // lines before the format is known
  const auto begin = [&](LinksFormat known) {
    format = known;
    lines = make_link_lines(known, links);
    for (Index number = 1; number <= blank; ++number) lines->read({}, number);
  };
  if (options.format) begin(*options.format);
  std::string_view line;
  while (file.read_line(line)) {
    if (!format && trim(line).empty()) {
      ++blank;
      continue;
    }
    if (!format) begin(recognise_links(line, file.line_number(), links));
    lines->read(line, file.line_number());
  }
  if (!format) begin(LinksFormat::kPharaoh);
  if (file.line_number() == 0 && format != LinksFormat::kNaacl) {
    links.refuse(0, "expected links, found an empty file");
  }
  lines->finish(file.line_number());
  return links.finish(format != LinksFormat::kNaacl, file.line_number());
}

}  // namespace trellis::align
