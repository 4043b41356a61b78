// The hull of projective trees as flows through Eisner's chart (projective_spans.h); Martin, Rardin
// & Campbell (1990), "Polyhedral characterization of discrete dynamic programming", have the
// general theorem. A variable x ≥ 0 for each choice k of each complete item and split, and
//
//   Σ_k x_(0,n),k = 1                                               the whole sentence
//   Σ_k x_(h,e),k = Σ of the x whose choice contains complete (h, e)
//   Σ_{p: h→m} z_p = Σ of the x whose choice contains incomplete (h, m)
//   Σ_k x_(l,r),k = Σ_{p: l→r} z_p + Σ_{p: r→l} z_p                 for each split
//
// Each tree is a solution. Conversely, divide the x and z of an item by their sum, and let items
// choose at random by that from the whole sentence down: by induction from wide to narrow items,
// each choice has probability x, since an item occurs at most once in a derivation. So z is the
// expectation of a random tree's indicator. Impossible choices have no variable.
#include "trellis/solve/arborescences/tree_polytopes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/solve/arborescences/projective_spans.h"

namespace trellis {
namespace {

// 0 for items that some tree contains, −∞ for the others.
struct PossibleSpans {
  static constexpr double kOne = 0;
  static double times(double a, double b) { return a + b; }
  static double sum(const SpanChoices& choices) {
    const Index best = first_best(choices);
    return choices.left[best] + choices.right[best];
  }
};

class ProjectiveFlows {
 public:
  ProjectiveFlows(const ArcGraph& graph, Roots roots) : graph_(graph), size_(graph.words + 1) {
    spans_.reset(graph.words, roots);
    graph.each_group(
        [&](Index m, Index, Index first, Index) { spans_.arc(graph.head[first], m + 1) = 0; });
    spans_.fill(PossibleSpans{});
    program_.num_parts = program_.num_variables = graph.head.size();
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
    graph_.each_group([&](Index m, Index, Index first, Index last) {
      const Index head = graph_.head[first], modifier = m + 1;
      for (Index part = first; part < last; ++part) {
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
  // A word without dependents on a side gets no flow.
  void use_complete(Index head, Index end, Index variable) {
    if (head != end) enter(complete(head, end), variable, -1.0);
  }

  // Calls use(k, variable) for each choice that some tree can make.
  template <class Use>
  void add_choices(Index row, const SpanChoices& choices, const Use& use) {
    for (Index c = 0; c < choices.count; ++c) {
      if (choices.left[c] + choices.right[c] == -kInfinity) continue;
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

  const ArcGraph& graph_;
  Index size_;  // positions
  ProjectiveSpans spans_;
  LinearProgram program_;
};

}  // namespace

// Variables: the arcs, then the flow to word k through group g at A + (k − 1) · groups + g.
LinearProgram tree_polytope(const ArcGraph& graph, Roots roots) {
  struct Group {
    Index head, modifier, begin, end;
  };
  const Index n = graph.words, arcs = graph.head.size();
  std::vector<Group> groups;
  graph.each_group([&](Index m, Index, Index first, Index last) {
    groups.push_back({graph.head[first], m + 1, first, last});
  });
  LinearProgram program;
  program.num_parts = arcs;
  program.num_variables = arcs + n * groups.size();
  LinearProgram::Row at_root{{}, 1, 1};
  for (Index m = 1; m <= n; ++m) {
    LinearProgram::Row one_arc{{}, 1, 1};
    for (Index p = graph.begin[m - 1]; p < graph.begin[m]; ++p) {
      one_arc.terms.push_back({p, 1.0});
      if (graph.head[p] == 0) at_root.terms.push_back({p, 1.0});
    }
    program.rows.push_back(std::move(one_arc));
  }
  if (roots == Roots::kOne && n > 0) program.rows.push_back(std::move(at_root));
  for (Index k = 1; k <= n; ++k) {
    // For each word, inflow minus outflow: 1 at k.
    std::vector<LinearProgram::Row> kept(n + 1);
    kept[k].lower = kept[k].upper = 1;
    for (Index g = 0; g < groups.size(); ++g) {
      const Group& group = groups[g];
      const Index flow = arcs + (k - 1) * groups.size() + g;
      kept[group.modifier].terms.push_back({flow, 1.0});
      kept[group.head].terms.push_back({flow, -1.0});
      LinearProgram::Row within{{{flow, 1.0}}, -kInfinity, 0};
      for (Index p = group.begin; p < group.end; ++p) within.terms.push_back({p, -1.0});
      program.rows.push_back(std::move(within));
    }
    for (Index m = 1; m <= n; ++m) program.rows.push_back(std::move(kept[m]));
  }
  return program;
}

LinearProgram projective_tree_polytope(const ArcGraph& graph, Roots roots) {
  return ProjectiveFlows(graph, roots).build();
}

}  // namespace trellis
