// Links between the words of a sentence and the words of its translation.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace trellis {

// The empty word, in lists that contain links to it.
inline constexpr std::uint32_t kNullWord = std::numeric_limits<std::uint32_t>::max();

struct Link {
  std::uint32_t source = 0;  // words from 0
  std::uint32_t target = 0;

  friend auto operator<=>(const Link&, const Link&) = default;
};

// A set: sorted by source word, then by target word, each link once.
using Links = std::vector<Link>;

struct ScoredLink {
  Link link;
  double probability = 1;

  friend bool operator==(const ScoredLink&, const ScoredLink&) = default;
};

// Makes a set of any list.
inline void sort_links(Links& links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

// `links` is a set; logarithmic.
inline bool contains(std::span<const Link> links, Link link) {
  return std::binary_search(links.begin(), links.end(), link);
}

constexpr Link swapped(Link link) {
  return {link.target, link.source};
}
inline Links swapped(std::span<const Link> links) {
  Links out;
  out.reserve(links.size());
  for (const Link link : links) out.push_back(swapped(link));
  sort_links(out);
  return out;
}

// The links whose probability is `threshold` or more. `scored` has each link once.
inline Links links_at(std::span<const ScoredLink> scored, double threshold) {
  Links links;
  for (const ScoredLink& s : scored) {
    if (s.probability >= threshold) links.push_back(s.link);
  }
  std::sort(links.begin(), links.end());
  return links;
}

}  // namespace trellis
