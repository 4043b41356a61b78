#include "trellis/structure/trees/projective_tree.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/solve/arborescences/projective_arborescence.h"
#include "trellis/solve/arborescences/tree_polytopes.h"

namespace trellis {
namespace {

// A word whose dependents are being collected, with the sums of its dependents so far.
struct OpenWord {
  double left = 0, right = 0;
  std::uint32_t left_awaited = 0, right_awaited = 0;
  std::uint32_t below = 0;  // on the stack
};

// Stack memory for one sentence; only very long sentences need the heap.
class OpenWords {
 public:
  explicit OpenWords(Index size) {
    if (size > few_.size()) many_.resize(size);
  }
  OpenWord& operator[](Index word) { return many_.empty() ? few_[word] : many_[word]; }

 private:
  std::array<OpenWord, 128> few_;
  std::vector<OpenWord> many_;
};

}  // namespace

ProjectiveTree::Parallel ProjectiveTree::parallel(Index head, Index modifier) const {
  Index begin = arcs_->begin(modifier), end = arcs_->begin(modifier + 1);
  for (Index last = end; begin < last;) {
    const Index middle = begin + (last - begin) / 2;
    if (arcs_->head(middle) < head) {
      begin = middle + 1;
    } else {
      last = middle;
    }
  }
  Index next = begin;
  while (next < end && arcs_->head(next) == head) ++next;
  return {begin, next};
}

// Assembles y like a shift-reduce parser, word by word: a word takes its left dependents from the
// stack, nearest first, and is attached to its head once it has its right ones. This succeeds
// exactly for projective trees, and the additions are those of the chart, so that the score of the
// best tree has the bits of the maximum. Requires an arc of each word in y.
bool ProjectiveTree::fold(const Output& y, const double* s, double& score) const {
  const Index n = arcs_->words();
  OpenWords words(n + 1);
  const auto head = [&](Index word) -> Index { return arcs_->head(y[word - 1]); };
  const auto arc = [&](Index word) { return s == nullptr ? 0.0 : s[y[word - 1]]; };
  for (Index m = 1; m <= n; ++m) {
    OpenWord& h = words[head(m)];
    ++(head(m) < m ? h.right_awaited : h.left_awaited);
  }
  Index top = 0;
  for (Index m = 1; m <= n; ++m) {
    OpenWord& word = words[m];
    word.below = static_cast<std::uint32_t>(top);
    top = m;
    for (; word.left_awaited > 0; --word.left_awaited) {
      const Index u = word.below;
      const OpenWord& dependent = words[u];
      if (u == 0 || head(u) != m || dependent.right_awaited > 0) return false;
      word.left = word.left + dependent.right + arc(u) + dependent.left;
      word.below = dependent.below;
    }
    while (top != 0 && words[top].right_awaited == 0 && head(top) < top) {
      const OpenWord& dependent = words[top];
      if (dependent.below != head(top)) return false;
      OpenWord& h = words[dependent.below];
      h.right = h.right + dependent.left + arc(top) + dependent.right;
      --h.right_awaited;
      top = dependent.below;
    }
  }
  score = words[0].right;
  return top == 0;
}

bool ProjectiveTree::legal(const Output& y) const {
  if (y.size() != arcs_->words()) return false;
  Index at_root = 0;
  for (Index m = 1; m <= y.size(); ++m) {
    const Index part = y[m - 1];
    if (part < arcs_->begin(m) || part >= arcs_->begin(m + 1)) return false;
    at_root += arcs_->head(part) == 0 ? 1 : 0;
  }
  if (roots_ == Roots::kOne && at_root > 1) return false;
  double score = 0;
  return fold(y, nullptr, score);
}

void ProjectiveTree::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (const std::uint32_t part : y) z[part] = 1;
}

double ProjectiveTree::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  double score = 0;
  fold(y, s.data(), score);
  return score;
}

double ProjectiveTree::log_partition(std::span<const double> s, Scratch& scratch) const {
  return scratch.sums.log_sum(arcs_->graph(), s, roots_);
}

double ProjectiveTree::log_partition(std::span<const double> s, Scratch& scratch,
                                     std::span<double> marginals) const {
  return scratch.sums.log_sum(arcs_->graph(), s, roots_, marginals);
}

double ProjectiveTree::entropy(std::span<const double> s, Scratch& scratch) const {
  return scratch.sums.entropy(arcs_->graph(), s, roots_);
}

void ProjectiveTree::sample(std::span<const double> s, Random& random, Scratch& scratch,
                            Output& y) const {
  y.resize(arcs_->words());
  if (!scratch.sums.draw(arcs_->graph(), s, roots_, random, y)) y.clear();
}

double ProjectiveTree::fill_max(std::span<const double> s, ProjectiveSpans& spans) const {
  assert(s.size() == num_parts());
  spans.reset(arcs_->words(), roots_);
  for (Index p = 0; p < s.size(); ++p) {
    double& arc = spans.arc(arcs_->head(p), arcs_->modifier(p));
    arc = std::max(arc, s[p]);
  }
  return spans.fill(BestSpans{});
}

// The first of the parallel arcs that give the best item, compared with the rounding of the sum, as
// in k_best.
Index ProjectiveTree::best_part(std::span<const double> s, const ProjectiveSpans& spans, Index head,
                                Index modifier) const {
  const double split = spans.split(std::min(head, modifier), std::max(head, modifier));
  Index part = parallel(head, modifier).begin;
  while (split + s[part] != spans.incomplete(head, modifier)) ++part;
  return part;
}

double ProjectiveTree::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  const double best = fill_max(s, scratch.spans);
  y.clear();
  if (best == kImpossible) return best;
  y.resize(arcs_->words());
  scratch.spans.descend(scratch.open, first_best, [&](Index head, Index modifier) {
    y[modifier - 1] = static_cast<std::uint32_t>(best_part(s, scratch.spans, head, modifier));
  });
  return best;
}

ProjectionResult ProjectiveTree::project(std::span<const double> v, Scratch& scratch,
                                         std::span<double> z) const {
  const auto best_tree = [&](std::span<const double> s, std::span<double> vertex) {
    const double value = maximize(s, scratch, scratch.best);
    if (value > kImpossible) indicator(scratch.best, vertex);
    return value;
  };
  return oracle_projection(v, best_tree, scratch.projection, z);
}

LinearProgram ProjectiveTree::linear_program() const {
  return projective_tree_polytope(arcs_->graph(), roots_);
}

}  // namespace trellis
