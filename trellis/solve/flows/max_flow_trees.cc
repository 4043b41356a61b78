// The two trees of max_flow.h: growth, augmentation and adoption.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "trellis/solve/flows/max_flow.h"

namespace trellis {

void MaxFlow::plant() {
  time_ = 0;
  active_.clear();
  next_active_.clear();
  std::fill(queued_.begin(), queued_.end(), std::uint8_t{0});
  for (std::uint32_t v = 0; v < num_nodes(); ++v) {
    Node& node = nodes_[v];
    node.label = (node.excess > 0) - (node.excess < 0);
    node.time = 0;
    node.parent = node.label == 0 ? kNone : kTerminal;
    if (node.label == 0) continue;
    queued_[v] = 1;
    active_.push_back(v);
  }
}

void MaxFlow::activate(std::uint32_t v) {
  if (queued_[v] != 0) return;
  queued_[v] = 1;
  next_active_.push_back(v);
}

template <bool kSource>
MaxFlow::Level MaxFlow::depth(const Node& node) {
  return kSource ? node.label : -node.label;
}

template <bool kSource>
MaxFlow::Capacity& MaxFlow::outward(std::uint32_t half) {
  return residual_[kSource ? half : half ^ 1];
}

// Grows the tree from v to free nodes, and sends flow if it meets the other tree.
template <bool kSource>
void MaxFlow::scan(std::uint32_t v) {
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = nodes_[v].first_arc; a < end;) {
    const auto [u, half] = arcs_[a];
    const Node& node = nodes_[v];
    Node& other = nodes_[u];
    const Level level = depth<kSource>(other);
    // Within the same tree, only a newer and shorter path to the root helps.
    const bool settled = level > 0 && (level <= depth<kSource>(node) || other.time > node.time);
    if (settled || outward<kSource>(half) == 0) {
      ++a;
    } else if (level >= 0) {
      if (level == 0) activate(u);
      hang<kSource>(other, {depth<kSource>(node), v, half ^ 1}, node.time);
      ++a;
    } else {
      kSource ? augment(v, half, u) : augment(u, half ^ 1, v);
      if (depth<kSource>(nodes_[v]) <= 0 || work_ > enough_) return;
    }
  }
}

template <bool kSource>
void MaxFlow::hang(Node& node, const Parent& parent, std::uint64_t time) {
  node.label = kSource ? parent.level + 1 : -(parent.level + 1);
  node.time = time;
  node.parent = parent.node;
  node.parent_half = parent.half;
}

// Sends flow from the source to s, over the edge to t, and on to the sink.
void MaxFlow::augment(std::uint32_t s, std::uint32_t half, std::uint32_t t) {
  const Capacity amount = bottleneck<false>(t, bottleneck<true>(s, residual_[half]));
  ++time_;
  residual_[half] -= amount;
  residual_[half ^ 1] += amount;
  push<true>(s, amount);
  adopt_orphans<true>();
  push<false>(t, amount);
  adopt_orphans<false>();
}

template <bool kSource>
MaxFlow::Capacity MaxFlow::bottleneck(std::uint32_t v, Capacity most) {
  while (nodes_[v].parent != kTerminal) {
    most = std::min(most, outward<kSource>(nodes_[v].parent_half ^ 1));
    v = nodes_[v].parent;
  }
  return std::min(most, std::abs(nodes_[v].excess));
}

template <bool kSource>
void MaxFlow::push(std::uint32_t v, Capacity amount) {
  orphans_.clear();
  Index steps = 0;
  while (nodes_[v].parent != kTerminal) {
    Node& node = nodes_[v];
    const std::uint32_t parent = node.parent;
    ++steps;
    Capacity& left = outward<kSource>(node.parent_half ^ 1);
    left -= amount;
    outward<kSource>(node.parent_half) += amount;
    if (left == 0) {
      node.parent = kNone;
      orphans_.push_back(v);
    }
    v = parent;
  }
  work_ += steps;
  Node& root = nodes_[v];
  root.excess -= kSource ? amount : -amount;
  if (root.excess == 0) {
    root.parent = kNone;
    orphans_.push_back(v);
  }
  // Nodes near the root first: their new parents determine those of the others.
  std::reverse(orphans_.begin(), orphans_.end());
}

template <bool kSource>
void MaxFlow::adopt_orphans() {
  for (Index i = 0; i < orphans_.size(); ++i) {
    const std::uint32_t v = orphans_[i];
    const Parent parent = find_parent<kSource>(v);
    if (parent.node == kNone) {
      set_free<kSource>(v);
    } else {
      hang<kSource>(nodes_[v], parent, time_);
    }
  }
}

// The neighbour with the shortest path to the root.
template <bool kSource>
MaxFlow::Parent MaxFlow::find_parent(std::uint32_t v) {
  Parent best = {std::numeric_limits<Level>::max(), kNone, 0};
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = nodes_[v].first_arc; a < end; ++a) {
    const auto [u, half] = arcs_[a];
    if (depth<kSource>(nodes_[u]) <= 0 || outward<kSource>(half ^ 1) == 0) continue;
    const Level level = distance<kSource>(u);
    if (level > 0 && level < best.level) best = {level, u, half};
  }
  return best;
}

// The number of nodes from v to its root; 0 if there is an orphan in between. Results since the
// last augmentation are valid, and are stored on the way.
template <bool kSource>
MaxFlow::Level MaxFlow::distance(std::uint32_t v) {
  Level length = 0;
  std::uint32_t top = v;
  while (nodes_[top].time != time_ && nodes_[top].parent != kTerminal) {
    if (nodes_[top].parent == kNone) return 0;
    top = nodes_[top].parent;
    ++length;
  }
  work_ += static_cast<Index>(length);
  if (nodes_[top].time == time_) {
    length += depth<kSource>(nodes_[top]);
  } else {
    ++length;
    nodes_[top].time = time_;
    nodes_[top].label = kSource ? 1 : -1;
  }
  Level level = length;
  for (std::uint32_t u = v; nodes_[u].time != time_; u = nodes_[u].parent, --level) {
    nodes_[u].time = time_;
    nodes_[u].label = kSource ? level : -level;
  }
  return length;
}

// Activates all neighbours that could adopt v again; the children of v become orphans.
template <bool kSource>
void MaxFlow::set_free(std::uint32_t v) {
  nodes_[v].label = 0;
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = nodes_[v].first_arc; a < end; ++a) {
    const auto [u, half] = arcs_[a];
    Node& other = nodes_[u];
    if (depth<kSource>(other) <= 0) continue;
    if (outward<kSource>(half ^ 1) != 0) activate(u);
    if (other.parent == v && other.parent_half == (half ^ 1)) {
      other.parent = kNone;
      orphans_.push_back(u);
    }
  }
}

// First in, first out, in rounds.
void MaxFlow::scan_active() {
  for (const std::uint32_t v : active_) {
    queued_[v] = 0;
    if (nodes_[v].label > 0) scan<true>(v);
    if (nodes_[v].label < 0) scan<false>(v);
    if (work_ > enough_) return;
  }
}

}  // namespace trellis
