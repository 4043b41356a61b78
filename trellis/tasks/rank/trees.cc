#include "trellis/tasks/rank/trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trellis::rank {
namespace {

// `children` has two entries for each node.
bool is_tree(std::span<const std::int32_t> children) {
  const Index nodes = children.size() / 2;
  std::vector<bool> led_to(2 * nodes + 1);  // the nodes, then the leaves
  led_to[0] = true;                         // the root
  for (Index k = 0; k < children.size(); ++k) {
    const bool is_leaf = children[k] < 0;
    const auto number = static_cast<Index>(is_leaf ? ~children[k] : children[k]);
    if (is_leaf ? number > nodes : number <= k / 2 || number >= nodes) return false;
    const Index place = is_leaf ? nodes + number : number;
    if (led_to[place]) return false;
    led_to[place] = true;
  }
  return true;  // 2n children are 2n different nodes or leaves: all of them
}

bool are_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

}  // namespace

bool Trees::valid(Index num_columns) const {
  const Index nodes = num_nodes();
  if (begin.empty() || begin.front() != 0 || begin.back() != nodes) return false;
  if (thresholds.size() != nodes || children.size() != 2 * nodes || gains.size() != nodes) {
    return false;
  }
  for (Index t = 0; t < size(); ++t) {
    if (begin[t + 1] <= begin[t] || begin[t + 1] > nodes) return false;
    const Index count = begin[t + 1] - begin[t];
    if (count >= kMaxLeaves ||
        !is_tree(std::span(children).subspan(Index{2} * begin[t], 2 * count))) {
      return false;
    }
  }
  return are_finite(thresholds) && are_finite(gains) &&
         std::all_of(columns.begin(), columns.end(), [&](Index c) { return c < num_columns; });
}

std::vector<double> Trees::gains_by_column(Index num_columns) const {
  std::vector<double> sums(num_columns, 0.0);
  for (Index k = 0; k < num_nodes(); ++k) sums[columns[k]] += static_cast<double>(gains[k]);
  return sums;
}

std::string Trees::path_to(Index leaf, std::span<const std::uint32_t> names) const {
  Index tree = 0;
  while (first_leaf(tree + 1) <= leaf) ++tree;
  std::string path;
  // Upwards from the leaf: each node and leaf has exactly one parent.
  auto target = ~static_cast<std::int32_t>(leaf - first_leaf(tree));
  for (Index node = begin[tree + 1]; node-- > begin[tree];) {
    const bool left = children[2 * node] == target;
    if (!left && children[2 * node + 1] != target) continue;
    path = fmt::format("{} {} {:.4g}{}{}", names[columns[node]], left ? "<=" : ">",
                       thresholds[node], path.empty() ? "" : ", ", path);
    target = static_cast<std::int32_t>(node - begin[tree]);
  }
  return path;
}

void Trees::append(const Trees& others) {
  const auto nodes = static_cast<std::uint32_t>(num_nodes());
  for (Index t = 1; t <= others.size(); ++t) begin.push_back(nodes + others.begin[t]);
  columns.insert(columns.end(), others.columns.begin(), others.columns.end());
  thresholds.insert(thresholds.end(), others.thresholds.begin(), others.thresholds.end());
  children.insert(children.end(), others.children.begin(), others.children.end());
  gains.insert(gains.end(), others.gains.begin(), others.gains.end());
}

}  // namespace trellis::rank
