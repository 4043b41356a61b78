// The k best labelings of a forest, exactly and lazily: Huang & Chiang (2005), "Better k-best
// parsing", Algorithm 3, without its recursion.
//
// The upward pass is a hypergraph with two kinds of vertices, both for a node c and a label a of
// its parent:
//
//   choice (c, a)   the label b of the node, and the rank of its subtree with b:
//                   value = edge(a, b) + (the rank-th best of the subtree)
//   sum (c, a)      the parent with label a, and its children up to c:
//                   value = (the left-th best up to the sibling before)
//                           + (the right-th best choice)
//
// Each vertex stores its derivations in order as far as they were requested, and a heap of
// candidates for the next one: a derivation enters the heap when its predecessor in a rank has
// left. The subtree of a node is the sum of its last child; the forest is that of the last root.
// Rounding is monotone and values are added as in upward_max, so the order is that of the scores to
// the bit.
#include <algorithm>
#include <cassert>

#include "trellis/structure/graphs/tree_mrf.h"

namespace trellis {

class TreeMrf::KBestSearch {
 public:
  // After upward_max.
  KBestSearch(const TreeMrf& tree, std::span<const double> s, Scratch& scratch)
      : layout_(*tree.layout_), tree_(tree), s_(s), scratch_(scratch) {
    if (scratch_.vertices.size() < 2 * layout_.num_messages()) {
      scratch_.vertices.resize(2 * layout_.num_messages());
    }
    scratch_.last_child.assign(layout_.num_nodes() + 1, TreeMrfLayout::kNone);
    scratch_.previous_sibling.resize(layout_.num_nodes());
    for (const Step& step : layout_.steps()) {
      scratch_.previous_sibling[step.node] = scratch_.last_child[step.parent];
      scratch_.last_child[step.parent] = step.node;
    }
  }
  ~KBestSearch() {
    for (const Index vertex : scratch_.touched) {
      scratch_.vertices[vertex].best.clear();
      scratch_.vertices[vertex].candidates.clear();
      scratch_.vertices[vertex].begun = false;
    }
    scratch_.touched.clear();
  }
  KBestSearch(const KBestSearch&) = delete;
  KBestSearch& operator=(const KBestSearch&) = delete;

  // The labeling with this rank; false if there are no more. Ranks must be requested in order.
  bool find(Index rank, ScoredOutput<Output>& output) {
    const Index last = scratch_.last_child[layout_.num_nodes()];
    if (!obtain(sum(last, 0), rank)) return false;
    output.score = scratch_.vertices[sum(last, 0)].best[rank].value;
    write({last, 0, rank}, output.output);
    return true;
  }

 private:
  using Derivation = Scratch::Derivation;
  using Vertex = Scratch::Vertex;
  enum class Supply { kReady, kNone, kUnknown };

  Index choice(Index node, Index a) const { return layout_.message_begin(node) + a; }
  Index sum(Index node, Index a) const { return layout_.num_messages() + choice(node, a); }
  bool is_first(Index node) const {
    return scratch_.previous_sibling[node] == TreeMrfLayout::kNone;
  }

  // Larger values first; of equal ones the smaller label, then the smaller ranks.
  static bool comes_later(const Derivation& x, const Derivation& y) {
    if (x.value != y.value) return x.value < y.value;
    return x.left != y.left ? x.left > y.left : x.right > y.right;
  }
  static void push(Vertex& vertex, double value, Index left, Index right) {
    vertex.candidates.push_back(
        {value, static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right)});
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
        at.pending = !push_successors(request.vertex);
      } else if (at.candidates.empty()) {
        at.exhausted = true;
      } else {
        std::pop_heap(at.candidates.begin(), at.candidates.end(), comes_later);
        at.best.push_back(at.candidates.back());
        at.candidates.pop_back();
        at.pending = true;
      }
    }
    return scratch_.vertices[vertex].best.size() > rank;
  }

  // The first candidates come from the upward pass, and need no other vertex.
  Vertex& begun(Index index) {
    Vertex& vertex = scratch_.vertices[index];
    if (vertex.begun) return vertex;
    vertex.begun = true;
    vertex.pending = vertex.exhausted = false;
    scratch_.touched.push_back(index);
    if (index >= layout_.num_messages()) {
      push(vertex, scratch_.messages[index - layout_.num_messages()], 0, 0);
      return vertex;
    }
    const Index node = node_of(index), a = index - layout_.message_begin(node);
    const double* up = scratch_.up.data() + layout_.state_begin(node);
    for (Index b = 0; b < layout_.num_labels(node); ++b) {
      if (up[b] == kImpossible) continue;
      const double value = tree_.step_score(s_, layout_.step(node), a, b) + up[b];
      vertex.candidates.push_back({value, static_cast<std::uint32_t>(b), 0});
    }
    std::make_heap(vertex.candidates.begin(), vertex.candidates.end(), comes_later);
    return vertex;
  }

  // The node of a choice.
  Index node_of(Index message) const { return layout_.message_node(message); }

  // Whether a vertex has this rank; requests it if that is unknown.
  Supply supply(Index vertex, Index rank) {
    const Vertex& at = begun(vertex);
    if (at.best.size() > rank) return Supply::kReady;
    if (at.exhausted) return Supply::kNone;
    scratch_.requests.push_back({vertex, rank});
    return Supply::kUnknown;
  }

  double value_at(Index vertex, Index rank) const {
    return scratch_.vertices[vertex].best[rank].value;
  }

  // False if it had to make a request; then it pushed nothing.
  bool push_successors(Index index) {
    const Derivation last = scratch_.vertices[index].best.back();
    if (index < layout_.num_messages()) return push_choice(index, last);
    return push_sums(index, last);
  }

  // The next best of the subtree with the same label.
  bool push_choice(Index index, const Derivation& last) {
    const Index node = node_of(index), a = index - layout_.message_begin(node);
    if (layout_.step(node).leaf) return true;
    const Index subtree = sum(scratch_.last_child[node], last.left), rank = last.right + Index{1};
    const Supply found = supply(subtree, rank);
    if (found == Supply::kUnknown) return false;
    if (found == Supply::kReady) {
      const double edge = tree_.step_score(s_, layout_.step(node), a, last.left);
      push(scratch_.vertices[index], edge + value_at(subtree, rank), last.left, rank);
    }
    return true;
  }

  // The next rank of the choice, and of the sum before it; the former only from left = 0, so that
  // each pair has one predecessor.
  bool push_sums(Index index, const Derivation& last) {
    const Index message = index - layout_.num_messages(), node = node_of(message);
    const Index a = message - layout_.message_begin(node), right = last.right + Index{1};
    Supply next_choice = Supply::kNone;
    if (last.left == 0) next_choice = supply(message, right);
    if (next_choice == Supply::kUnknown) return false;
    Supply next_before = Supply::kNone;
    Index before = 0;
    if (!is_first(node)) {
      before = sum(scratch_.previous_sibling[node], a);
      next_before = supply(before, last.left + Index{1});
      if (next_before == Supply::kUnknown) return false;
      if (supply(message, last.right) == Supply::kUnknown) return false;
    }
    Vertex& vertex = scratch_.vertices[index];
    if (next_choice == Supply::kReady) {
      push(vertex, first_before(node, a) + value_at(message, right), 0, right);
    }
    if (next_before == Supply::kReady) {
      push(vertex, value_at(before, last.left + Index{1}) + value_at(message, last.right),
           last.left + Index{1}, last.right);
    }
    return true;
  }

  // The best of the parent with label a and its children before this one.
  double first_before(Index node, Index a) const {
    if (is_first(node)) return scratch_.node[layout_.state_begin(layout_.step(node).parent) + a];
    return scratch_.messages[choice(scratch_.previous_sibling[node], a)];
  }

  // Follows the derivations downwards. The best derivation of a vertex without requests is that of
  // the upward pass.
  void write(const Scratch::Choice& whole, Output& y) {
    y.resize(layout_.num_nodes());
    std::vector<Scratch::Choice>& open = scratch_.choices;
    open.assign(1, whole);
    while (!open.empty()) {
      const Scratch::Choice at = open.back();
      open.pop_back();
      const Derivation pair = derivation(sum(at.node, at.parent_label), at.rank);
      const Index vertex = choice(at.node, at.parent_label);
      Index label = 0, rank = 0;
      if (scratch_.vertices[vertex].best.size() > pair.right) {
        label = scratch_.vertices[vertex].best[pair.right].left;
        rank = scratch_.vertices[vertex].best[pair.right].right;
      } else {
        assert(pair.right == 0);
        label = tree_.best_label(s_, layout_.step(at.node), at.parent_label, scratch_);
      }
      y[at.node] = static_cast<Label>(label);
      if (!is_first(at.node)) {
        open.push_back({scratch_.previous_sibling[at.node], at.parent_label, pair.left});
      }
      if (!layout_.step(at.node).leaf) open.push_back({scratch_.last_child[at.node], label, rank});
    }
  }

  Derivation derivation(Index vertex, Index rank) const {
    const Vertex& at = scratch_.vertices[vertex];
    assert(at.best.size() > rank || rank == 0);
    return at.best.size() > rank ? at.best[rank] : Derivation{0, 0, 0};
  }

  const TreeMrfLayout& layout_;
  const TreeMrf& tree_;
  std::span<const double> s_;
  Scratch& scratch_;
};

void TreeMrf::k_best(std::span<const double> s, Index k, Scratch& scratch,
                     std::vector<ScoredOutput<Output>>& best) const {
  prepare(s, scratch);
  Index found = 0;
  if (k > 0 && upward_max(s, scratch) > kImpossible) {
    KBestSearch search(*this, s, scratch);
    for (; found < k; ++found) {
      if (found == best.size()) best.emplace_back();
      if (!search.find(found, best[found])) break;
    }
  }
  best.resize(found);
}

}  // namespace trellis
