#include "trellis/formats/links/link_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

void append_pharaoh(const AlignedPair& pair, bool probabilities, std::string& out) {
  const Index begin = out.size();
  for (const ScoredLink& s : pair.links) {
    if (out.size() > begin) out += ' ';
    fmt::format_to(std::back_inserter(out), "{}-{}", s.link.source, s.link.target);
    if (probabilities) fmt::format_to(std::back_inserter(out), ":{:.4f}", s.probability);
  }
  out += '\n';
}

// The shared tasks number sentences 0001, 0002, …, and the official script takes 1 for another one.
void append_naacl(const AlignedPair& pair, const LinkWritingOptions& options, std::string& out) {
  for (const ScoredLink& s : pair.links) {
    fmt::format_to(std::back_inserter(out), "{:04} {} {} S", pair.number, s.link.source + 1,
                   s.link.target + 1);
    if (options.probabilities) fmt::format_to(std::back_inserter(out), " {:.4f}", s.probability);
    out += '\n';
  }
}

// Blanks stand where GIZA++ has them, at the ends of lines too.
void append_giza(const AlignedPair& pair, std::string& out) {
  fmt::format_to(
      std::back_inserter(out),
      "# Sentence pair ({}) source length {} target length {} alignment score : {:.6g}\n",
      pair.number, pair.source.size(), pair.target.size(), pair.score);
  for (const std::string_view word : pair.target)
    fmt::format_to(std::back_inserter(out), "{} ", word);
  out += "\nNULL ({ ";
  std::vector<bool> linked(pair.target.size(), false);
  for (const ScoredLink& s : pair.links) linked[s.link.target] = true;
  for (Index t = 0; t < linked.size(); ++t) {
    if (!linked[t]) fmt::format_to(std::back_inserter(out), "{} ", t + 1);
  }
  out += "}) ";
  auto link = pair.links.begin();
  for (Index s = 0; s < pair.source.size(); ++s) {
    fmt::format_to(std::back_inserter(out), "{} ({{ ", pair.source[s]);
    for (; link != pair.links.end() && link->link.source == s; ++link) {
      fmt::format_to(std::back_inserter(out), "{} ", link->link.target + 1);
    }
    out += "}) ";
  }
  out += '\n';
}

}  // namespace

void validate(const LinkWritingOptions& options) {
  if (options.probabilities && options.format == LinksFormat::kGiza) {
    throw UsageError("the format of GIZA++ cannot hold probabilities of links");
  }
}

void append_links(const AlignedPair& pair, const LinkWritingOptions& options, std::string& out) {
  switch (options.format) {
    case LinksFormat::kPharaoh:
      return append_pharaoh(pair, options.probabilities, out);
    case LinksFormat::kNaacl:
      return append_naacl(pair, options, out);
    case LinksFormat::kGiza:
      return append_giza(pair, out);
  }
}

}  // namespace trellis::align
