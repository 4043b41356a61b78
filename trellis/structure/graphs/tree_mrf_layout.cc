#include "trellis/structure/graphs/tree_mrf_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// The tables of n nodes or edges: their sizes, and how many share each.
struct Tables {
  std::vector<Index> sizes;
  std::vector<Index> users;
};

// Sizes by node or edge; `kind` is what the message calls them. An empty list becomes 0, 1, …
Tables collect_tables(const char* kind, const std::vector<Index>& sizes, std::vector<Index>& ids) {
  if (ids.empty()) {
    ids.resize(sizes.size());
    std::iota(ids.begin(), ids.end(), Index{0});
  }
  if (ids.size() != sizes.size()) {
    throw UsageError(
        fmt::format("{} tables are given for {} of {} {}s", kind, ids.size(), sizes.size(), kind));
  }
  Tables tables;
  for (Index i = 0; i < ids.size(); ++i) {
    if (ids[i] >= sizes.size()) {
      throw UsageError(fmt::format("{} {} has table {}, and there are at most {} tables", kind, i,
                                   ids[i], sizes.size()));
    }
    if (ids[i] >= tables.sizes.size()) {
      tables.sizes.resize(ids[i] + 1, 0);
      tables.users.resize(ids[i] + 1, 0);
    }
    if (tables.users[ids[i]] > 0 && tables.sizes[ids[i]] != sizes[i]) {
      throw UsageError(fmt::format("{} {} has {} parts, and its table {} has {}", kind, i, sizes[i],
                                   ids[i], tables.sizes[ids[i]]));
    }
    tables.sizes[ids[i]] = sizes[i];
    ++tables.users[ids[i]];
  }
  for (Index table = 0; table < tables.users.size(); ++table) {
    if (tables.users[table] == 0) {
      throw UsageError(fmt::format("{} table {} belongs to no {}", kind, table, kind));
    }
  }
  return tables;
}

// The representative of a tree that grows by union (Tarjan 1975, with path halving).
Index find_tree(std::vector<Index>& tree, Index node) {
  while (tree[node] != node) node = tree[node] = tree[tree[node]];
  return node;
}

}  // namespace

TreeMrfLayout::TreeMrfLayout(std::vector<Index> num_labels, std::vector<Edge> edges,
                             std::vector<Index> node_tables, std::vector<Index> edge_tables)
    : num_labels_(std::move(num_labels)),
      edges_(std::move(edges)),
      node_tables_(std::move(node_tables)),
      edge_tables_(std::move(edge_tables)) {
  if (num_labels_.empty()) throw UsageError("a forest needs a node");
  state_begin_.push_back(0);
  for (Index j = 0; j < num_nodes(); ++j) {
    if (num_labels_[j] == 0) throw UsageError(fmt::format("node {} has no labels", j));
    if (num_labels_[j] >= kMaxParts)
      throw UsageError(fmt::format("node {} has too many labels", j));
    state_begin_.push_back(state_begin_.back() + num_labels_[j]);
    max_labels_ = std::max(max_labels_, num_labels_[j]);
  }
  check_edges();
  number_parts();
  order_steps();
}

void TreeMrfLayout::check_edges() const {
  std::vector<Index> tree(num_nodes());
  std::iota(tree.begin(), tree.end(), Index{0});
  std::vector<std::pair<Index, Index>> seen;
  for (const Edge& edge : edges_) {
    if (edge.first >= num_nodes() || edge.second >= num_nodes()) {
      throw UsageError(
          fmt::format("edge ({}, {}) leaves the {} nodes", edge.first, edge.second, num_nodes()));
    }
    if (edge.first == edge.second) {
      throw UsageError(fmt::format("edge ({}, {}) is a loop", edge.first, edge.second));
    }
    seen.emplace_back(std::minmax(edge.first, edge.second));
  }
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end()) {
    throw UsageError(fmt::format("edge ({}, {}) occurs twice", twice->first, twice->second));
  }
  for (const Edge& edge : edges_) {
    const Index a = find_tree(tree, edge.first), b = find_tree(tree, edge.second);
    if (a == b) {
      throw UsageError(fmt::format("edge ({}, {}) closes a cycle", edge.first, edge.second));
    }
    tree[a] = b;
  }
}

// Tied tables of the same size may still be 2 × 3 and 3 × 2.
void TreeMrfLayout::check_shapes() const {
  std::vector<Index> rows(edges_.size(), 0);
  for (Index e = 0; e < edges_.size(); ++e) {
    Index& expected = rows[edge_tables_[e]];
    const Index found = num_labels_[edges_[e].first];
    if (expected != 0 && expected != found) {
      throw UsageError(fmt::format("edge {} has {} rows, and its table {} has {}", e, found,
                                   edge_tables_[e], expected));
    }
    expected = found;
  }
}

void TreeMrfLayout::number_parts() {
  std::vector<Index> edge_sizes;
  for (const Edge& edge : edges_) {
    edge_sizes.push_back(num_labels_[edge.first] * num_labels_[edge.second]);
  }
  Tables nodes = collect_tables("node", num_labels_, node_tables_);
  Tables pairs = collect_tables("edge", edge_sizes, edge_tables_);
  check_shapes();
  const auto place = [&](const Tables& tables, std::vector<Index>& begins) {
    for (const Index size : tables.sizes) {
      begins.push_back(num_parts_);
      num_parts_ += size;
      if (num_parts_ > kMaxParts) {
        throw UsageError(fmt::format("a tree has more than {} parts", kMaxParts));
      }
    }
  };
  place(nodes, node_begin_);
  place(pairs, edge_begin_);
  tied_ = nodes.sizes.size() < num_nodes() || pairs.sizes.size() < edges_.size();
  node_users_ = std::move(nodes.users);
  edge_users_ = std::move(pairs.users);
}

// Parents by a search from each root, subtree sizes backwards along it, and then the order by
// descent into the children, largest first, without recursion.
void TreeMrfLayout::order_steps() {
  const Index n = num_nodes();
  std::vector<std::vector<Index>> neighbours(n);
  for (Index e = 0; e < edges_.size(); ++e) {
    neighbours[edges_[e].first].push_back(e);
    neighbours[edges_[e].second].push_back(e);
  }
  std::vector<Index> parent(n, kNone), parent_edge(n, kNone), found, size(n + 1, 1);
  std::vector<std::vector<Index>> children(n + 1);
  for (Index root = 0; root < n; ++root) {
    if (parent[root] != kNone) continue;
    parent[root] = n;
    found.push_back(root);
    for (Index next = found.size() - 1; next < found.size(); ++next) {
      const Index j = found[next];
      children[parent[j]].push_back(j);
      for (const Index e : neighbours[j]) {
        if (e == parent_edge[j]) continue;
        const Index k = edges_[e].first == j ? edges_[e].second : edges_[e].first;
        parent[k] = j;
        parent_edge[k] = e;
        found.push_back(k);
      }
    }
  }
  for (Index next = n; next-- > 0;) size[parent[found[next]]] += size[found[next]];
  // Last child first, so that backwards the first one comes first.
  std::vector<Index> open = {n};
  while (!open.empty()) {
    const Index j = open.back();
    open.pop_back();
    std::stable_sort(children[j].begin(), children[j].end(),
                     [&](Index a, Index b) { return size[a] > size[b]; });
    for (const Index k : children[j]) open.push_back(k);
    if (j == n) continue;
    const bool first = children[parent[j]].front() == j;
    const bool parent_first = parent_edge[j] != kNone && edges_[parent_edge[j]].first == parent[j];
    steps_.push_back({j, parent[j], parent_edge[j], children[j].empty(), first, parent_first});
  }
  std::reverse(steps_.begin(), steps_.end());
  step_of_.resize(n);
  for (Index i = 0; i < n; ++i) step_of_[steps_[i].node] = i;
  message_begin_.resize(n);
  for (Index j = 0; j < n; ++j) {
    message_begin_[j] = num_messages_;
    num_messages_ += parent[j] == n ? 1 : num_labels_[parent[j]];
  }
}

Index TreeMrfLayout::message_node(Index message) const {
  const auto after = std::upper_bound(message_begin_.begin(), message_begin_.end(), message);
  return static_cast<Index>(after - message_begin_.begin()) - 1;
}

}  // namespace trellis
