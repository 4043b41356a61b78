// The convex hull of projective trees, by the flows through Eisner's chart (projective_spans.h);
// Martin, Rardin & Campbell (1990), "Polyhedral characterization of discrete dynamic programming",
// have the general theorem. A variable x ≥ 0 for each choice k of each complete item and split, and
//
//   Σ_k x_(0,n),k = 1                                               the whole sentence
//   Σ_k x_(h,e),k = Σ of the x whose choice is made of complete (h, e)
//   Σ_{p: h→m} z_p = Σ of the x whose choice is made of incomplete (h, m)
//   Σ_k x_(l,r),k = Σ_{p: l→r} z_p + Σ_{p: r→l} z_p                 for each split
//
// Trees are points of it. Conversely, divide the x and z of an item by their sum, and let items
// choose at random by that from the whole sentence down: by induction from wide to narrow items,
// each choice is made with probability x, since an item occurs at most once in a derivation. So z
// is the expectation of a random tree's indicator. Choices that no tree can make have no variable.
#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/structure/projective_tree.h"

namespace trellis {

class ProjectiveTree::FlowProgram {
 public:
  explicit FlowProgram(const ProjectiveTree& tree) : tree_(tree), size_(tree.arcs().words() + 1) {
    tree.fill_max(std::vector<double>(tree.num_parts(), 0.0), spans_);
    program_.num_parts = program_.num_variables = tree.num_parts();
    program_.rows.resize(3 * size_ * size_);
  }

  LinearProgram build() {
    const Index n = size_ - 1;
    for (Index left = 0; left < n; ++left) {
      for (Index right = left + 1; right <= n; ++right) {
        add_complete(left, right);
        if (left > 0) add_complete(right, left);
        add_split(left, right);
      }
    }
    tree_.for_each_arc([&](Index head, Index modifier, Parallel parts) {
      for (Index part = parts.begin; part < parts.end; ++part) {
        enter(split(std::min(head, modifier), std::max(head, modifier)), part, -1.0);
        enter(incomplete(head, modifier), part, 1.0);
      }
    });
    LinearProgram::Row whole = std::move(program_.rows[complete(0, n)]);
    std::erase_if(program_.rows, [](const LinearProgram::Row& row) { return row.terms.empty(); });
    whole.lower = whole.upper = 1;
    if (n > 0) program_.rows.push_back(std::move(whole));
    program_.upper_bounds.assign(program_.num_variables, 1.0);
    return std::move(program_);
  }

 private:
  Index complete(Index head, Index end) const { return head * size_ + end; }
  Index incomplete(Index head, Index modifier) const {
    return size_ * size_ + head * size_ + modifier;
  }
  Index split(Index left, Index right) const { return 2 * size_ * size_ + left * size_ + right; }

  void enter(Index row, Index variable, double coefficient) {
    program_.rows[row].terms.push_back({variable, coefficient});
  }
  // A word without dependents on a side takes no flow.
  void use_complete(Index head, Index end, Index variable) {
    if (head != end) enter(complete(head, end), variable, -1.0);
  }

  // use(k, variable) for each choice that some tree can make.
  template <class Use>
  void add_choices(Index row, const SpanChoices& choices, const Use& use) {
    for (Index c = 0; c < choices.count; ++c) {
      if (choices.left[c] + choices.right[c] == kImpossible) continue;
      const Index variable = program_.num_variables++;
      enter(row, variable, 1.0);
      use(choices.first + c, variable);
    }
  }

  void add_complete(Index head, Index end) {
    add_choices(complete(head, end), spans_.furthest(head, end), [&](Index k, Index variable) {
      enter(incomplete(head, k), variable, -1.0);
      use_complete(k, end, variable);
    });
  }

  void add_split(Index left, Index right) {
    add_choices(split(left, right), spans_.splits(left, right), [&](Index k, Index variable) {
      use_complete(left, k, variable);
      use_complete(right, k + 1, variable);
    });
  }

  const ProjectiveTree& tree_;
  Index size_;  // positions
  ProjectiveSpans spans_;
  LinearProgram program_;
};

LinearProgram ProjectiveTree::linear_program() const {
  return FlowProgram(*this).build();
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

}  // namespace trellis
