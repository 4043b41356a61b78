// The local polytope of a factor graph: for each factor the hull of what it allows, in terms of its
// states and own parts, with auxiliary variables where it needs them.
#include <utility>

#include "trellis/structure/dependency_tree.h"
#include "trellis/structure/factor_graph.h"
#include "trellis/structure/projective_tree.h"

namespace trellis {
namespace {

using Factor = FactorGraphLayout::Factor;
using Terms = std::vector<LinearProgram::Term>;

class LocalPolytope {
 public:
  explicit LocalPolytope(const FactorGraphLayout& graph) : graph_(graph) {
    program_.num_parts = program_.num_variables = graph.num_parts();
    program_.upper_bounds.assign(graph.num_parts(), 1.0);
  }

  LinearProgram make() {
    for (Index v = 0; v < graph_.num_variables(); ++v) {
      if (graph_.is_switch(v)) continue;
      Terms terms;
      for (Index k = 0; k < graph_.arity(v); ++k) terms.push_back({graph_.state(v, k), 1.0});
      equal(std::move(terms), 1);
    }
    for (Index f = 0; f < graph_.num_factors(); ++f) add(graph_.factor(f));
    return std::move(program_);
  }

 private:
  void between(Terms terms, double lower, double upper) {
    program_.rows.push_back({std::move(terms), lower, upper});
  }
  void equal(Terms terms, double value) { between(std::move(terms), value, value); }

  void add(const Factor& f) {
    switch (f.kind) {
      case FactorKind::kTable:
        return add_table(f);
      case FactorKind::kSequence:
        return add_sequence(f);
      case FactorKind::kPair:
        return add_pair(f);
      case FactorKind::kHead:
        return add_head(f);
      case FactorKind::kTree:
        return add_tree(f);
      default:
        return add_logical(f);
    }
  }

  // Each state's assignments sum to it, and all to 1.
  void add_table(const Factor& f) {
    Terms all;
    for (Index p = f.parts_begin; p < f.parts_end; ++p) all.push_back({p, 1.0});
    equal(std::move(all), 1);
    Index repeat = f.parts_end - f.parts_begin;  // how long a variable keeps its values
    for (const std::uint32_t v : graph_.scope(f)) {
      const Index values = graph_.num_values(v);
      repeat /= values;
      for (Index k = 0; k < graph_.arity(v); ++k) {
        const Index value = graph_.is_switch(v) ? 1 : k;
        Terms terms = {{graph_.state(v, k), -1.0}};
        for (Index p = f.parts_begin; p < f.parts_end; ++p) {
          if ((p - f.parts_begin) / repeat % values == value) terms.push_back({p, 1.0});
        }
        equal(std::move(terms), 0);
      }
    }
  }

  void add_sequence(const Factor& f) {
    const std::span<const std::uint32_t> scope = graph_.scope(f);
    for (Index t = 0; t + 1 < scope.size(); ++t) {
      const Index here = graph_.arity(scope[t]), after = graph_.arity(scope[t + 1]);
      for (Index a = 0; a < here; ++a) {
        Terms terms = {{graph_.state(scope[t], a), -1.0}};
        for (Index b = 0; b < after; ++b)
          terms.push_back({graph_.transition_part(f, t, a, b), 1.0});
        equal(std::move(terms), 0);
      }
      for (Index b = 0; b < after; ++b) {
        Terms terms = {{graph_.state(scope[t + 1], b), -1.0}};
        for (Index a = 0; a < here; ++a) terms.push_back({graph_.transition_part(f, t, a, b), 1.0});
        equal(std::move(terms), 0);
      }
    }
  }

  void add_pair(const Factor& f) {
    const std::span<const Literal> links = graph_.links(f);
    for (const Literal& link : links) between({{f.parts_begin, 1.0}, {link.state, -1.0}}, -1, 0);
    between({{f.parts_begin, 1.0}, {links[0].state, -1.0}, {links[1].state, -1.0}}, -1, 1);
  }

  // A path from 0 to K + 1, which stops where a switch is on.
  void add_head(const Factor& f) {
    const std::span<const Literal> links = graph_.links(f);
    const Index end = links.size() + 1;
    for (Index k = 0; k <= end; ++k) {
      Terms in, out;
      for (Index a = 0; a < k; ++a) in.push_back({FactorGraphLayout::head_part(f, a, k), 1.0});
      for (Index b = k + 1; b <= end; ++b) {
        out.push_back({FactorGraphLayout::head_part(f, k, b), 1.0});
      }
      const bool inner = k > 0 && k < end;
      if (inner) {
        in.push_back({links[k - 1].state, -1.0});
        out.push_back({links[k - 1].state, -1.0});
      }
      if (k > 0) equal(std::move(in), inner ? 0 : 1);
      if (k < end) equal(std::move(out), inner ? 0 : 1);
    }
  }

  void add_logical(const Factor& f) {
    Terms terms;
    const std::span<const Literal> links = graph_.links(f);
    double negated = 0;
    for (const Literal& link : links) {
      terms.push_back({link.state, link.negated ? -1.0 : 1.0});
      negated += link.negated ? 1 : 0;
    }
    const auto number = static_cast<double>(links.size());
    double least = 0, most = number;
    if (f.kind == FactorKind::kOneOf || f.kind == FactorKind::kOr) least = 1;
    if (f.kind == FactorKind::kOneOf || f.kind == FactorKind::kAtMostOne) most = 1;
    if (f.kind == FactorKind::kBudget) most = std::min(number, static_cast<double>(f.detail));
    between(std::move(terms), least - negated, most - negated);
  }

  // The polytope of the structure itself, its arcs being the states, and its auxiliary variables
  // behind ours.
  void add_tree(const Factor& f) {
    const FactorGraphLayout::Tree& tree = graph_.tree(f);
    std::vector<DependencyArc> list;
    for (Index m = 1; m <= tree.words; ++m) {
      for (Index a = tree.begin[m - 1]; a < tree.begin[m]; ++a) {
        list.push_back({tree.head[a], static_cast<std::uint32_t>(m)});
      }
    }
    const DependencyArcs arcs(tree.words, list);
    const LinearProgram inner = tree.crossing == Crossing::kAllowed
                                    ? DependencyTree(arcs, tree.roots).linear_program()
                                    : ProjectiveTree(arcs, tree.roots).linear_program();
    const std::span<const Literal> links = graph_.links(f);
    const Index shift = program_.num_variables - inner.num_parts;
    for (const LinearProgram::Row& row : inner.rows) {
      Terms terms;
      for (const auto& [variable, coefficient] : row.terms) {
        const bool is_arc = variable < inner.num_parts;
        terms.push_back({is_arc ? links[variable].state : variable + shift, coefficient});
      }
      between(std::move(terms), row.lower, row.upper);
    }
    for (Index x = inner.num_parts; x < inner.num_variables; ++x) {
      program_.upper_bounds.push_back(inner.upper_bounds.empty() ? kInfinity
                                                                 : inner.upper_bounds[x]);
    }
    program_.num_variables += inner.num_variables - inner.num_parts;
  }

  const FactorGraphLayout& graph_;
  LinearProgram program_;
};

}  // namespace

LinearProgram FactorGraph::linear_program() const {
  return LocalPolytope(*layout_).make();
}

}  // namespace trellis
