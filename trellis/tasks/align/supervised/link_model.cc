#include "trellis/tasks/align/supervised/link_model.h"

#include <algorithm>

#include "trellis/structure/matchings/fertility_matching.h"

namespace trellis::align {

void choose_output(const LinkShape& shape, std::span<const double> preference, LinkExample& example,
                   LeftOut& left_out) {
  const FertilityMatching structure =
      structure_of<FertilityMatching>(example.parts, shape.most_links);
  std::vector<double> s(structure.num_parts(), 0.0);
  Index candidates = 0;
  for (Index p = 0; p < example.parts.num_links(); ++p) {
    const auto [left, right] = example.parts.links[p];
    const bool sure = contains(example.gold.sure, Link{left, right});
    candidates += sure ? 1 : 0;
    // One link more outweighs all preferences together.
    s[p] = sure ? static_cast<double>(example.parts.num_links()) + preference[p] : -1;
  }
  FertilityMatching::Scratch scratch;
  structure.maximize(s, scratch, example.output);
  const Index over = candidates - example.output.size();
  left_out.not_candidates += example.gold.sure.size() - candidates;
  left_out.over_limit += over;
  left_out.pairs_over_limit += over > 0 ? 1 : 0;
}

std::vector<double> link_costs(const LinkExample& example, double false_negative, Index num_parts) {
  std::vector<double> costs(num_parts, 0.0);
  for (Index p = 0; p < example.parts.num_links(); ++p) {
    const auto [left, right] = example.parts.links[p];
    const Link link{left, right};
    if (contains(example.gold.sure, link)) {
      costs[p] = -false_negative;
    } else {
      costs[p] = contains(example.gold.possible, link) ? 0.0 : 1.0;
    }
  }
  return costs;
}

}  // namespace trellis::align
