// Writer of word alignments in the formats of links_format.h: Pharaoh, NAACL or GIZA++.
// link_reader.h reads them back. Text is appended to a string, so that many threads can write, each
// to its own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/formats/links/links_format.h"

namespace trellis::align {

struct AlignedPair {
  Index number = 1;                          // of the pair, from 1: NAACL and GIZA++
  std::span<const std::string_view> source;  // the words: GIZA++
  std::span<const std::string_view> target;
  std::span<const ScoredLink> links;  // sorted by source word, then target word
  double score = 1;                   // of the whole alignment: GIZA++
};

struct LinkWritingOptions {
  LinksFormat format = LinksFormat::kPharaoh;
  // Behind each link, with four digits; GIZA++ has no place for them.
  bool probabilities = false;
};

// Throws UsageError for probabilities in GIZA++'s format.
void validate(const LinkWritingOptions& options);

// One line, or for NAACL as many as there are links, or for GIZA++ three: its comment, the target
// words, and the source words with their links. Target words without a link are those of NULL.
void append_links(const AlignedPair& pair, const LinkWritingOptions& options, std::string& out);

}  // namespace trellis::align
