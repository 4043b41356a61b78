#include "trellis/tasks/segment/segment_example.h"

#include <fmt/format.h>

#include <numeric>

#include "trellis/base/error.h"

namespace trellis::segment {
namespace {

// The root of a node's tree; halves the path on the way (Tarjan & van Leeuwen 1984).
Index find_root(std::vector<Index>& parent, Index node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

}  // namespace

void require_connected(Index num_nodes, std::span<const NodePair> edges, const std::string& file,
                       Index line, const std::string& name) {
  std::vector<Index> parent(num_nodes);
  std::iota(parent.begin(), parent.end(), Index{0});
  Index components = num_nodes;
  for (const NodePair& edge : edges) {
    const Index j = find_root(parent, edge.j);
    const Index k = find_root(parent, edge.k);
    if (j == k) continue;
    parent[j] = k;
    --components;
  }
  if (components <= 1) return;
  throw InputError(file, line,
                   fmt::format("expected a connected graph, but '{}' falls into {} parts "
                               "(--allow-disconnected takes it as it is)",
                               name, components));
}

}  // namespace trellis::segment
