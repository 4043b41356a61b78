// The chart of Eisner's algorithm for projective dependency trees: Eisner (1996), "Three new
// probabilistic models for dependency parsing"; (2000), "Bilexical grammars and their cubic-time
// parsing algorithms".
//
// Positions 0 … n; position 0 is the root and has no head. Three kinds of items, each the ⊕
// (maximum or sum) over its derivations; a derivation is the ⊗ of its parts:
//
//   complete (h, e)     h with all its dependents between it and e, whose own subtrees end at e;
//                       e may lie on either side of h, and complete (h, h) = 1
//   split (l, r)        two words l < r with an arc to come between them, and all in between:
//                       ⊕_{l≤k<r}  complete (l, k) ⊗ complete (r, k+1)
//   incomplete (h, m)   split (h, m) or (m, h), and an arc h → m:    split ⊗ arc (h, m)
//
//   complete (h, e) = ⊕_k  incomplete (h, k) ⊗ complete (k, e),   k from h's neighbour to e
//
// and the trees are complete (0, n). If only one word may have the root as its head, no word may
// precede it as a child of the root: split (0, r) has k = 0 only.
//
// Each tree has one derivation. In complete (h, e), k is the furthest dependent of h in the span,
// and the subtree of k reaches e. In split (l, r), with an arc between l and r, each word in
// between descends from l or from r through words in between; the former are left of the latter
// because no arcs cross, and k is the last of the former (or l). So the choices correspond to trees
// one to one: sums count each tree once.
//
// Time O(n³), with n²/2 · 3 sums over rows that are contiguous in memory; 5 (n+1)² numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"

namespace trellis {

// One number for each pair of positions, by rows.
class SquareTable {
 public:
  // Sets all numbers to `value`.
  void assign(Index size, double value) {
    size_ = size;
    values_.assign(size * size, value);
  }
  // Leaves the numbers unspecified.
  void resize(Index size) {
    size_ = size;
    if (values_.size() < size * size) values_.resize(size * size);
  }
  double& operator()(Index i, Index j) { return values_[i * size_ + j]; }
  double operator()(Index i, Index j) const { return values_[i * size_ + j]; }
  double* row(Index i) { return values_.data() + i * size_; }
  const double* row(Index i) const { return values_.data() + i * size_; }

 private:
  Index size_ = 0;
  std::vector<double> values_;
};

// The derivations of an item: left[c] ⊗ right[c], where k = first + c.
struct SpanChoices {
  const double* left;
  const double* right;
  Index first;
  Index count;
};

// The first of the best choices, where ⊗ is +; requires at least one choice.
inline Index first_best(const SpanChoices& choices) {
  Index best = 0;
  double value = choices.left[0] + choices.right[0];
  for (Index c = 1; c < choices.count; ++c) {
    const double other = choices.left[c] + choices.right[c];
    if (other > value) value = other, best = c;
  }
  return best;
}

class ProjectiveSpans {
 public:
  // The item complete (head, end).
  struct Span {
    std::uint32_t head, end;
  };

  // Sets all arcs to `none`, the 0 of the semiring.
  void reset(Index words, Roots roots, double none = -kInfinity) {
    words_ = words;
    roots_ = roots;
    arc_.assign(words + 1, none);
    complete_.resize(words + 1);
    by_end_.resize(words + 1);
    incomplete_.resize(words + 1);
    split_.resize(words + 1);
  }
  double& arc(Index head, Index modifier) { return arc_(head, modifier); }

  // A semiring has kOne, times(a, b), and sum(choices) of ≥ 1 choices. Returns complete (0, n).
  template <class Semiring>
  double fill(const Semiring& ring);

  Index words() const { return words_; }
  double complete(Index head, Index end) const { return complete_(head, end); }
  double split(Index left, Index right) const { return split_(left, right); }
  double incomplete(Index head, Index modifier) const { return incomplete_(head, modifier); }

  // Choices of complete (head, end), head ≠ end: rows incomplete (head, ·) and complete (·, end).
  SpanChoices furthest(Index head, Index end) const {
    const Index first = head < end ? head + 1 : end;
    return {incomplete_.row(head) + first, by_end_.row(end) + first, first,
            head < end ? end - head : head - end};
  }
  // Choices of split (left, right): rows complete (left, ·) and complete (right, · + 1).
  SpanChoices splits(Index left, Index right) const {
    const bool alone = left == 0 && roots_ == Roots::kOne;
    return {complete_.row(left) + left, complete_.row(right) + left + 1, left,
            alone ? 1 : right - left};
  }

  // Follows a derivation of complete (0, n): choose(choices) selects, and take(head, modifier)
  // receives each arc. `open` is scratch memory.
  template <class Choose, class Take>
  void descend(std::vector<Span>& open, const Choose& choose, const Take& take) const;

 private:
  void set_complete(Index head, Index end, double value) {
    complete_(head, end) = by_end_(end, head) = value;
  }

  Index words_ = 0;
  Roots roots_ = Roots::kAny;
  SquareTable arc_, incomplete_;  // (head, modifier)
  SquareTable complete_;          // (head, end)
  SquareTable by_end_;            // the same as (end, head)
  SquareTable split_;             // (left, right)
};

// No item contains an arc into the root, so no item ends there.
template <class Semiring>
double ProjectiveSpans::fill(const Semiring& ring) {
  for (Index h = 0; h <= words_; ++h) set_complete(h, h, Semiring::kOne);
  for (Index width = 1; width <= words_; ++width) {
    for (Index left = 0, right = width; right <= words_; ++left, ++right) {
      const double split = ring.sum(splits(left, right));
      split_(left, right) = split;
      incomplete_(left, right) = Semiring::times(split, arc_(left, right));
      set_complete(left, right, ring.sum(furthest(left, right)));
      if (left == 0) continue;
      incomplete_(right, left) = Semiring::times(split, arc_(right, left));
      set_complete(right, left, ring.sum(furthest(right, left)));
    }
  }
  return complete_(0, words_);
}

template <class Choose, class Take>
void ProjectiveSpans::descend(std::vector<Span>& open, const Choose& choose,
                              const Take& take) const {
  open.clear();
  const auto push = [&](Index head, Index end) {
    if (head != end) {
      open.push_back({static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(end)});
    }
  };
  push(0, words_);
  while (!open.empty()) {
    const Index head = open.back().head, end = open.back().end;
    open.pop_back();
    const SpanChoices dependents = furthest(head, end);
    const Index modifier = dependents.first + choose(dependents);
    const Index left = std::min(head, modifier), right = std::max(head, modifier);
    const SpanChoices between = splits(left, right);
    const Index last = between.first + choose(between);
    take(head, modifier);
    push(modifier, end);
    push(right, last + 1);
    push(left, last);
  }
}

}  // namespace trellis
