// The k best label sequences, exactly: k shortest paths by implicit heaps of sidetracks (Eppstein
// 1998).
//
// The forward recursion gives every state at every position its best predecessor: a tree of best
// paths, rooted at the beginning. Any sequence is the best one except for some *sidetracks*: steps
// that come from another predecessor, with a loss ≥ 0 against the best step there; its loss is the
// sum of theirs. For each node (t, v) there is a heap of the sidetracks along the tree path before
// it, ordered by loss: that of its best predecessor, merged with the sidetracks at the node itself.
// A merge of leftist heaps copies O(log n) entries and shares the rest. A path is then extended in
// three ways — the two entries below its last sidetrack in the heap replace it, or the top of the
// heap after it is added — and none of these has a smaller loss, so a queue returns the paths in
// order.
//
// Heaps are built on demand, for the nodes on a path that was returned; at most k−1 sidetracks of a
// node are kept, because no more can be needed.
#include <algorithm>
#include <cassert>

#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {

// Builds the heaps and the queue on top of the forward messages of one sequence.
class Chain::KBestSearch {
 public:
  KBestSearch(const Chain& chain, Scratch& scratch, State last, Index k)
      : chain_(chain), passes_(chain), scratch_(scratch), last_(last), k_(k) {
    const Index nodes = chain.length_ * chain.states_->num_states();
    scratch_.sidetracks.clear();
    scratch_.paths.clear();
    scratch_.queue.clear();
    scratch_.heaps.assign(nodes, kNotBuilt);
    scratch_.best_before.resize(nodes);
    push({0, 0, kNone, kNone});
  }

  // The next best sequence; false if there are no more.
  bool next(Output& y) {
    if (scratch_.queue.empty()) return false;
    const std::uint32_t path = pop();
    extend(path);
    write(path, y);
    return true;
  }

 private:
  using Sidetrack = Scratch::Sidetrack;
  using Path = Scratch::Path;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kNotBuilt = kNone - 1;

  Index node(Index t, State v) const { return t * chain_.states_->num_states() + v; }

  // Paths with equal losses leave in the order of insertion.
  auto later() const {
    return [this](std::uint32_t a, std::uint32_t b) {
      const double x = scratch_.paths[a].loss, y = scratch_.paths[b].loss;
      return x > y || (x == y && a > b);
    };
  }

  void push(const Path& path) {
    scratch_.queue.push_back(static_cast<std::uint32_t>(scratch_.paths.size()));
    scratch_.paths.push_back(path);
    std::push_heap(scratch_.queue.begin(), scratch_.queue.end(), later());
  }

  std::uint32_t pop() {
    std::pop_heap(scratch_.queue.begin(), scratch_.queue.end(), later());
    const std::uint32_t path = scratch_.queue.back();
    scratch_.queue.pop_back();
    return path;
  }

  void extend(std::uint32_t index) {
    const Path path = scratch_.paths[index];
    std::uint32_t after = kNone;
    if (path.sidetrack == kNone) {
      const std::uint32_t before = heap_at(chain_.length_ - 1, last_);
      after = merge(before, sidetracks_at_end());
    } else {
      const Sidetrack taken = scratch_.sidetracks[path.sidetrack];
      push_sidetrack(taken.left, path.parent_loss, path.parent);
      push_sidetrack(taken.right, path.parent_loss, path.parent);
      after = heap_at(taken.t, taken.state);
    }
    push_sidetrack(after, path.loss, index);
  }

  void push_sidetrack(std::uint32_t sidetrack, double parent_loss, std::uint32_t parent) {
    if (sidetrack == kNone) return;
    push({parent_loss + scratch_.sidetracks[sidetrack].loss, parent_loss, sidetrack, parent});
  }

  // The heap of all sidetracks on the best path to (t, v), built along that path where it is
  // missing.
  std::uint32_t heap_at(Index t, State v) {
    std::vector<State>& trail = scratch_.trail;
    trail.clear();
    while (scratch_.heaps[node(t, v)] == kNotBuilt) {
      if (t == 0) {
        scratch_.heaps[node(t, v)] = kNone;
        break;
      }
      trail.push_back(v);
      v = scratch_.best_before[node(t, v)] =
          passes_.best_predecessor(scratch_.forward.data() + node(t - 1, 0), scratch_, t, v);
      --t;
    }
    std::uint32_t heap = scratch_.heaps[node(t, v)];
    for (; !trail.empty(); trail.pop_back()) {
      ++t;
      heap = merge(heap, sidetracks_at(t, trail.back()));
      scratch_.heaps[node(t, trail.back())] = heap;
    }
    return heap;
  }

  std::uint32_t sidetracks_at(Index t, State v) {
    const SegmentMatrix::Group& group = chain_.states_->predecessors(t, v);
    const double* forward = scratch_.forward.data() + node(t - 1, 0);
    const double* column = scratch_.table + t * chain_.table_stride() + (v - group.first_column);
    const auto value = [&](const SegmentMatrix::Row& row) {
      return forward[row.row] + column[row.entries];
    };
    const State best = scratch_.best_before[node(t, v)];
    double best_value = kImpossible;
    for (const SegmentMatrix::Row& row : chain_.states_->rows(group)) {
      best_value = std::max(best_value, value(row));
    }
    const std::uint32_t begin = begin_list();
    for (const SegmentMatrix::Row& row : chain_.states_->rows(group)) {
      if (row.row != best) add_to_list(best_value - value(row), t - 1, row.row);
    }
    return link_list(begin);
  }

  std::uint32_t sidetracks_at_end() {
    const Index t = chain_.length_ - 1;
    const double* forward = scratch_.forward.data() + node(t, 0);
    const double best_value = forward[last_] + scratch_.stop[last_];
    const std::uint32_t begin = begin_list();
    for (State u = chain_.end_begin(); u < chain_.end_end(); ++u) {
      if (u != last_) add_to_list(best_value - (forward[u] + scratch_.stop[u]), t, u);
    }
    return link_list(begin);
  }

  std::uint32_t begin_list() const {
    return static_cast<std::uint32_t>(scratch_.sidetracks.size());
  }

  void add_to_list(double loss, Index t, State u) {
    if (loss == -kImpossible) return;
    scratch_.sidetracks.push_back({loss, static_cast<std::uint32_t>(t), u, kNone, kNone, 1});
  }

  // A sorted list in which each entry is the left child of the previous one is a leftist heap.
  std::uint32_t link_list(std::uint32_t begin) {
    std::vector<Sidetrack>& all = scratch_.sidetracks;
    const Index kept = std::min(all.size() - begin, k_ - 1);
    const auto first = all.begin() + begin, end = first + static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(first, end, all.end(), [](const Sidetrack& a, const Sidetrack& b) {
      return a.loss < b.loss || (a.loss == b.loss && a.state < b.state);
    });
    all.erase(end, all.end());
    for (Index i = begin; i + 1 < all.size(); ++i) all[i].left = static_cast<std::uint32_t>(i + 1);
    return kept == 0 ? kNone : begin;
  }

  std::uint32_t rank(std::uint32_t heap) const {
    return heap == kNone ? 0 : scratch_.sidetracks[heap].rank;
  }

  // Does not change a and b.
  std::uint32_t merge(std::uint32_t a, std::uint32_t b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    if (scratch_.sidetracks[b].loss < scratch_.sidetracks[a].loss) std::swap(a, b);
    Sidetrack top = scratch_.sidetracks[a];
    top.right = merge(top.right, b);
    if (rank(top.left) < rank(top.right)) std::swap(top.left, top.right);
    top.rank = rank(top.right) + 1;
    scratch_.sidetracks.push_back(top);
    return static_cast<std::uint32_t>(scratch_.sidetracks.size() - 1);
  }

  // Follows the best predecessors from the end, except at the sidetracks of the path.
  void write(std::uint32_t index, Output& y) {
    std::vector<std::uint32_t>& taken = scratch_.taken;  // the first to be taken last
    taken.clear();
    for (; scratch_.paths[index].sidetrack != kNone; index = scratch_.paths[index].parent) {
      taken.push_back(scratch_.paths[index].sidetrack);
    }
    y.resize(chain_.length_);
    State u = last_;
    for (Index t = chain_.length_; t-- > 0;) {
      if (t + 1 < chain_.length_) u = scratch_.best_before[node(t + 1, u)];
      if (!taken.empty() && scratch_.sidetracks[taken.back()].t == t) {
        u = scratch_.sidetracks[taken.back()].state;
        taken.pop_back();
      }
      y[t] = chain_.states_->label(u);
    }
  }

  const Chain& chain_;
  const Passes passes_;
  Scratch& scratch_;
  const State last_;
  const Index k_;
};

void Chain::k_best(std::span<const double> s, Index k, Scratch& scratch,
                   std::vector<ScoredOutput<Output>>& best) const {
  const Passes passes(*this);
  passes.prepare(s, scratch);
  State last = 0;
  Index found = 0;
  if (k > 0 && passes.forward_max(scratch, last) > kImpossible) {
    KBestSearch search(*this, scratch, last, k);
    for (; found < k; ++found) {
      if (found == best.size()) best.emplace_back();
      if (!search.next(best[found].output)) break;
      best[found].score = score(s, best[found].output);
    }
  }
  best.resize(found);
  // Losses and scores are rounded differently: if losses are equal up to that, scores decide.
  std::stable_sort(best.begin(), best.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
}

}  // namespace trellis
