// Parsers of the lines of each word alignment format (links_format.h describes the formats).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/formats/links/link_collector.h"
#include "trellis/formats/links/links_format.h"

namespace trellis::align {

class LinkLines {
 public:
  virtual ~LinkLines() = default;
  virtual void read(std::string_view line, Index number) = 0;
  virtual void finish(Index last) = 0;  // the last line; throws where that is too early
};

std::unique_ptr<LinkLines> make_link_lines(LinksFormat format, LinkCollector& links);
// By a line that is not blank; `links` refuses one that is no link.
LinksFormat recognise_links(std::string_view line, Index number, const LinkCollector& links);

std::optional<double> parse_probability(std::string_view text);
// 0-0, 0?0, 0-0-P, each with :0.93 behind it or not.
std::optional<MarkedLink> parse_pharaoh(std::string_view text);
// The link of a line of NAACL's, of which these are the words; `links` refuses one that has none.
MarkedLink parse_naacl(std::span<const std::string_view> fields, std::string_view line,
                       Index number, const LinkCollector& links);

}  // namespace trellis::align
