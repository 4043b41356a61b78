#include "trellis/tasks/align/supervised/link_decoder.h"

#include <algorithm>
#include <type_traits>

#include "trellis/structure/limited_search.h"

namespace trellis::align {
namespace {

void read_links(const LinkParts& parts, std::span<const std::uint32_t> output, Links& links) {
  links.clear();
  for (const std::uint32_t p : output) {
    links.push_back({parts.links[p].left, parts.links[p].right});
  }
}

// Calls visit(structure, its scratch) with the structure of the shape.
template <class Visit>
void with_structure(const LinkShape& shape, const LinkParts& parts, LinkDecoder::Scratch& scratch,
                    const Visit& visit) {
  if (shape.quadratic) {
    visit(structure_of<QuadraticMatching>(parts, shape.most_links), scratch.quadratic);
  } else {
    visit(structure_of<FertilityMatching>(parts, shape.most_links), scratch.matching);
  }
}

}  // namespace

std::span<const double> LinkDecoder::scores(const LinkParts& parts, Scratch& scratch) const {
  with_structure(shape_, parts, scratch, [&](const auto& structure, auto&) {
    scratch.scores.resize(structure.num_parts());
  });
  parts.scores(w_, scratch.scores);
  for (Index p = 0; p < parts.num_links(); ++p) scratch.scores[p] += offset_;
  return scratch.scores;
}

void LinkDecoder::decode(const LinkParts& parts, Scratch& scratch, RankedLinks& found) const {
  found.links.clear();
  found.score = found.upper = 0;
  if (parts.num_links() == 0) return;
  decode_scores(parts, scores(parts, scratch), scratch, found);
}

void LinkDecoder::decode_scores(const LinkParts& parts, std::span<const double> s, Scratch& scratch,
                                RankedLinks& found) const {
  with_structure(shape_, parts, scratch, [&](const auto& structure, auto& memory) {
    if constexpr (LimitedSearcher<std::remove_cvref_t<decltype(structure)>>) {
      const auto best = structure.search_within(search_limit_, s, memory, scratch.output);
      found.score = best.value;
      found.upper = best.upper;
    } else {
      found.score = found.upper = structure.maximize(s, memory, scratch.output);
    }
  });
  read_links(parts, scratch.output, found.links);
}

void LinkDecoder::k_best(const LinkParts& parts, Index k, Scratch& scratch,
                         std::vector<RankedLinks>& found) const {
  found.clear();
  if (parts.num_links() == 0) {
    found.emplace_back();
    return;
  }
  const std::span<const double> s = scores(parts, scratch);
  double left_out = kImpossible;
  with_structure(shape_, parts, scratch, [&](const auto& structure, auto& memory) {
    if constexpr (LimitedSearcher<std::remove_cvref_t<decltype(structure)>>) {
      left_out = structure.k_best_within(search_limit_, s, k, memory, scratch.best);
    } else {
      structure.k_best(s, k, memory, scratch.best);
    }
  });
  for (const auto& one : scratch.best) {
    found.push_back({{}, one.score, std::max(one.score, left_out)});
    read_links(parts, one.output, found.back().links);
  }
}

}  // namespace trellis::align
