// Collects the links of a file in any format of links_format.h, sorts them by sentence pair and
// checks them against the text. The readers of all formats share it (link_reader.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/formats/links/link_reader.h"

namespace trellis::align {

// Digits and nothing else, below 2³¹.
std::optional<std::uint32_t> parse_number(std::string_view text);

// A link as in the file: words are numbered from 0, the empty word is kNullWord.
struct MarkedLink {
  Link link;
  bool sure = true;
  std::optional<double> probability;
};

// A position in the file, for messages: the line, and the text of the link.
struct LinkPlace {
  Index line = 0;
  std::string_view text;
  Index first_word = 0;  // how the format numbers the first word of a sentence
};

// Swaps the sides if necessary, checks the words of links, and stores the links by pair.
class LinkCollector {
 public:
  LinkCollector(std::string file, std::span<const PairLengths> lengths,
                const LinkReadingOptions& options)
      : file_(std::move(file)), lengths_(lengths), options_(options) {}

  // Deletes the pairs; the next pairs have these lengths.
  void restart(std::span<const PairLengths> lengths) {
    lengths_ = lengths;
    pairs_.clear();
  }
  Index num_pairs() const { return pairs_.size(); }  // begun or found

  // Begins the next pair, for formats that list pairs in order; returns its number, from 0.
  Index begin_pair(Index line);
  // The pair with that number (from 1 in the file), for formats that number the pairs.
  Index find_pair(std::string_view number, Index line);
  // Checks the lengths that the file states.
  void check_lengths(Index pair, PairLengths lengths, Index line) const;
  void add(Index pair, MarkedLink marked, const LinkPlace& place);
  // `complete`: the file must have all pairs of the text; otherwise no more than these. `last` is
  // the last line.
  std::vector<GoldLinks> finish(bool complete, Index last);

  [[noreturn]] void refuse(Index line, const std::string& message,
                           std::string_view token = {}) const;

 private:
  void check_word(std::uint32_t word, Index length, std::string_view side,
                  const LinkPlace& place) const;

  std::string file_;
  std::span<const PairLengths> lengths_;
  LinkReadingOptions options_;
  std::vector<std::vector<MarkedLink>> pairs_;
};

}  // namespace trellis::align
