// The k best projective trees, exactly and lazily: Huang & Chiang (2005), "Better k-best parsing",
// Algorithm 3, without its recursion.
//
// Vertices of the hypergraph are the items of the chart (projective_spans.h), and a derivation is
//
//   complete (h, e)     k, and the ranks of incomplete (h, k) and of complete (k, e)
//   split (l, r)        k, and the ranks of complete (l, k) and of complete (r, k+1)
//   incomplete (h, m)   one of the parallel arcs, and the rank of the split
//
// Each vertex stores its derivations in order as far as they were requested, and a heap of
// candidates for the next one: a derivation enters the heap when its predecessor in a rank has
// left. The best of a vertex without requests is in the chart. Derivations are unique, so all of
// complete (0, n) are different trees. Rounding is monotone and values are added as in the chart,
// so the order is that of the scores to the bit.
#include <algorithm>
#include <cassert>

#include "trellis/structure/trees/projective_tree.h"

namespace trellis {

class ProjectiveTree::KBestSearch {
 public:
  // Call it after fill_max.
  KBestSearch(const ProjectiveTree& tree, std::span<const double> s, Scratch& scratch)
      : tree_(tree), spans_(scratch.spans), s_(s), scratch_(scratch), size_(spans_.words() + 1) {
    if (scratch_.slots.size() < 3 * size_ * size_) scratch_.slots.resize(3 * size_ * size_, 0);
  }
  ~KBestSearch() {
    for (const Index vertex : scratch_.begun) scratch_.slots[vertex] = 0;
    scratch_.begun.clear();
  }
  KBestSearch(const KBestSearch&) = delete;
  KBestSearch& operator=(const KBestSearch&) = delete;

  // The tree with this rank; false if there are no more. Ranks must be requested in order.
  bool find(Index rank, ScoredOutput<Output>& output) {
    const Index whole = complete(0, size_ - 1);
    if (!obtain(whole, rank)) return false;
    output.score = value_at(whole, rank);
    write({whole, rank}, output.output);
    return true;
  }

 private:
  using Derivation = Scratch::Derivation;
  using Vertex = Scratch::Vertex;
  enum class Kind { kComplete, kSplit, kIncomplete };
  enum class Supply { kReady, kNone, kUnknown };
  // (head, end), (left, right) or (head, modifier).
  struct Item {
    Kind kind;
    Index first, second;
  };
  struct Tails {
    Index left, right;
  };

  Index complete(Index head, Index end) const { return head * size_ + end; }
  Index split(Index left, Index right) const { return size_ * size_ + left * size_ + right; }
  Index incomplete(Index head, Index modifier) const {
    return 2 * size_ * size_ + head * size_ + modifier;
  }
  Item item(Index vertex) const {
    const Index square = size_ * size_, pair = vertex % square;
    return {static_cast<Kind>(vertex / square), pair / size_, pair % size_};
  }
  // A word without dependents on a side has only one derivation.
  static bool is_leaf(const Item& item) {
    return item.kind == Kind::kComplete && item.first == item.second;
  }

  SpanChoices choices(const Item& item) const {
    return item.kind == Kind::kComplete ? spans_.furthest(item.first, item.second)
                                        : spans_.splits(item.first, item.second);
  }
  // The tails of a derivation of a complete item or a split.
  Tails tails(const Item& item, Index k) const {
    if (item.kind == Kind::kComplete) return {incomplete(item.first, k), complete(k, item.second)};
    return {complete(item.first, k), complete(item.second, k + 1)};
  }
  // The tail of an incomplete item; its other part is the arc.
  Index split_of(const Item& item) const {
    return split(std::min(item.first, item.second), std::max(item.first, item.second));
  }

  // Larger values first; of equal ones the smaller choice, then the smaller ranks.
  static bool comes_later(const Derivation& x, const Derivation& y) {
    if (x.value != y.value) return x.value < y.value;
    if (x.choice != y.choice) return x.choice > y.choice;
    return x.left != y.left ? x.left > y.left : x.right > y.right;
  }
  static void add(Vertex& vertex, double value, Index choice, Index left, Index right) {
    vertex.candidates.push_back({value, static_cast<std::uint32_t>(choice),
                                 static_cast<std::uint32_t>(left),
                                 static_cast<std::uint32_t>(right)});
  }
  static void push(Vertex& vertex, double value, Index choice, Index left, Index right) {
    add(vertex, value, choice, left, right);
    std::push_heap(vertex.candidates.begin(), vertex.candidates.end(), comes_later);
  }

  // Extends the list of a vertex to this rank; false if the list ends earlier. Requests to other
  // vertices are processed first, from a stack.
  bool obtain(Index vertex, Index rank) {
    std::vector<Scratch::Request>& requests = scratch_.requests;
    requests.assign(1, {vertex, rank});
    while (!requests.empty()) {
      const Scratch::Request request = requests.back();
      Vertex& at = begun(request.vertex);
      if (at.best.size() > request.rank || at.exhausted) {
        requests.pop_back();
      } else if (at.pending) {
        at.pending = !push_successors(request.vertex, at);
      } else if (at.candidates.empty()) {
        at.exhausted = true;
      } else {
        std::pop_heap(at.candidates.begin(), at.candidates.end(), comes_later);
        at.best.push_back(at.candidates.back());
        at.candidates.pop_back();
        at.pending = true;
      }
    }
    return begun(vertex).best.size() > rank;
  }

  // The vertex, if it has been requested.
  const Vertex* look_up(Index vertex) const {
    const std::uint32_t slot = scratch_.slots[vertex];
    return slot == 0 ? nullptr : &scratch_.vertices[slot - 1];
  }

  // The first candidates come from the chart, and need no other vertex.
  Vertex& begun(Index index) {
    std::uint32_t& slot = scratch_.slots[index];
    if (slot != 0) return scratch_.vertices[slot - 1];
    scratch_.begun.push_back(index);
    slot = static_cast<std::uint32_t>(scratch_.begun.size());
    if (scratch_.vertices.size() < slot) scratch_.vertices.emplace_back();
    Vertex& vertex = scratch_.vertices[slot - 1];
    vertex.best.clear();
    vertex.candidates.clear();
    vertex.pending = vertex.exhausted = false;
    const Item at = item(index);
    if (is_leaf(at)) {
      add(vertex, 0.0, 0, 0, 0);
    } else if (at.kind == Kind::kIncomplete) {
      const auto [begin, end] = tree_.parallel(at.first, at.second);
      const double split = value_at(split_of(at), 0);
      for (Index part = begin; part < end; ++part) add(vertex, split + s_[part], part, 0, 0);
    } else {
      const SpanChoices all = choices(at);
      for (Index c = 0; c < all.count; ++c) {
        const double value = all.left[c] + all.right[c];
        if (value > kImpossible) add(vertex, value, all.first + c, 0, 0);
      }
    }
    std::make_heap(vertex.candidates.begin(), vertex.candidates.end(), comes_later);
    return vertex;
  }

  // Whether a vertex has this rank; requests it if that is unknown.
  Supply supply(Index vertex, Index rank) {
    const Vertex& at = begun(vertex);
    if (at.best.size() > rank) return Supply::kReady;
    if (at.exhausted) return Supply::kNone;
    scratch_.requests.push_back({vertex, rank});
    return Supply::kUnknown;
  }

  double value_at(Index vertex, Index rank) const {
    if (rank > 0) return look_up(vertex)->best[rank].value;
    const Item at = item(vertex);
    switch (at.kind) {
      case Kind::kComplete:
        return spans_.complete(at.first, at.second);
      case Kind::kSplit:
        return spans_.split(at.first, at.second);
      case Kind::kIncomplete:
        break;
    }
    return spans_.incomplete(at.first, at.second);
  }

  // False if it had to make a request; then it pushed nothing.
  bool push_successors(Index index, Vertex& vertex) {
    const Item at = item(index);
    if (is_leaf(at)) return true;
    const Derivation last = vertex.best.back();
    if (at.kind == Kind::kIncomplete) return push_next_split(split_of(at), last, vertex);
    return push_next_tails(tails(at, last.choice), last, vertex);
  }

  // The next best split, with the same arc.
  bool push_next_split(Index split, const Derivation& last, Vertex& vertex) {
    const Index rank = last.left + Index{1};
    const Supply found = supply(split, rank);
    if (found == Supply::kReady) {
      push(vertex, value_at(split, rank) + s_[last.choice], last.choice, rank, 0);
    }
    return found != Supply::kUnknown;
  }

  // The next rank of either tail; of the right one only from left = 0, so that each pair of ranks
  // has one predecessor.
  bool push_next_tails(const Tails& tails, const Derivation& last, Vertex& vertex) {
    const Index left = last.left + Index{1}, right = last.right + Index{1};
    const Supply next_left = supply(tails.left, left);
    if (next_left == Supply::kUnknown) return false;
    const Supply next_right = last.left == 0 ? supply(tails.right, right) : Supply::kNone;
    if (next_right == Supply::kUnknown) return false;
    if (next_left == Supply::kReady) {
      push(vertex, value_at(tails.left, left) + value_at(tails.right, last.right), last.choice,
           left, last.right);
    }
    if (next_right == Supply::kReady) {
      push(vertex, value_at(tails.left, 0) + value_at(tails.right, right), last.choice, 0, right);
    }
    return true;
  }

  // Follows the derivations downwards.
  void write(const Scratch::Request& whole, Output& y) {
    y.resize(size_ - 1);
    std::vector<Scratch::Request>& open = scratch_.choices;
    open.assign(1, whole);
    while (!open.empty()) {
      const auto [vertex, rank] = open.back();
      open.pop_back();
      const Item at = item(vertex);
      if (is_leaf(at)) continue;
      const Derivation made = derivation(vertex, rank);
      if (at.kind == Kind::kIncomplete) {
        y[at.second - 1] = made.choice;
        open.push_back({split_of(at), made.left});
      } else {
        const Tails below = tails(at, made.choice);
        open.push_back({below.left, made.left});
        open.push_back({below.right, made.right});
      }
    }
  }

  // The best derivation of a vertex without requests is that of the chart.
  Derivation derivation(Index vertex, Index rank) const {
    const Vertex* found = look_up(vertex);
    if (found != nullptr && found->best.size() > rank) return found->best[rank];
    assert(rank == 0);
    const Item at = item(vertex);
    Index choice = 0;
    if (at.kind == Kind::kIncomplete) {
      choice = tree_.best_part(s_, spans_, at.first, at.second);
    } else {
      const SpanChoices all = choices(at);
      choice = all.first + first_best(all);
    }
    return {0, static_cast<std::uint32_t>(choice), 0, 0};
  }

  const ProjectiveTree& tree_;
  const ProjectiveSpans& spans_;
  std::span<const double> s_;
  Scratch& scratch_;
  Index size_;  // positions
};

void ProjectiveTree::k_best(std::span<const double> s, Index k, Scratch& scratch,
                            std::vector<ScoredOutput<Output>>& best) const {
  Index found = 0;
  if (k > 0 && fill_max(s, scratch.spans) > kImpossible) {
    KBestSearch search(*this, s, scratch);
    for (; found < k; ++found) {
      if (found == best.size()) best.emplace_back();
      if (!search.find(found, best[found])) break;
    }
  }
  best.resize(found);
}

}  // namespace trellis
