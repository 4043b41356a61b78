#include "trellis/solve/factors/local_polytope.h"

#include <utility>
#include <vector>

#include "trellis/solve/arborescences/tree_polytopes.h"

namespace trellis {
namespace {

class LocalPolytope {
 public:
  explicit LocalPolytope(const FactorGraphLayout& layout) : layout_(layout) {
    program_.num_parts = program_.num_variables = layout.num_parts();
  }

  LinearProgram build() {
    for (Index v = 0; v < layout_.num_variables(); ++v) add_variable(v);
    for (Index f = 0; f < layout_.num_factors(); ++f) add_factor(layout_.factor(f));
    program_.upper_bounds.assign(program_.num_variables, 1.0);
    return std::move(program_);
  }

 private:
  using Factor = FactorGraphLayout::Factor;
  using Row = LinearProgram::Row;

  void add_variable(Index v) {
    if (layout_.is_switch(v)) return;
    Row one{{}, 1, 1};
    for (Index k = 0; k < layout_.arity(v); ++k) one.terms.push_back({layout_.state(v, k), 1.0});
    program_.rows.push_back(std::move(one));
  }

  void add_factor(const Factor& f) {
    switch (f.kind) {
      case FactorKind::kTable:
        return add_table(f);
      case FactorKind::kSequence:
        return add_sequence(f);
      case FactorKind::kPair:
        return add_pair(f);
      case FactorKind::kHead:
        return add_head(f);
      case FactorKind::kOneOf:
        return add_count(f, 1, 1);
      case FactorKind::kAtMostOne:
        return add_count(f, 0, 1);
      case FactorKind::kOr:
        return add_count(f, 1, f.links_end - f.links_begin);
      case FactorKind::kBudget:
        return add_count(f, 0, f.detail);
      case FactorKind::kTree:
        return add_tree(f);
    }
  }

  // The row of a sum that equals the state: the caller adds its terms.
  Row& add_equal(Index state) {
    program_.rows.push_back({{{state, -1.0}}, 0, 0});
    return program_.rows.back();
  }

  void add_table(const Factor& f) {
    Index before = f.parts_end - f.parts_begin;  // parts between changes of a variable's value
    for (const std::uint32_t v : layout_.scope(f)) {
      const Index values = layout_.num_values(v), off = layout_.is_switch(v) ? 1 : 0;
      before /= values;
      for (Index value = off; value < values; ++value) {
        Row& row = add_equal(layout_.state(v, value - off));
        for (Index part = f.parts_begin; part < f.parts_end; ++part) {
          if ((part - f.parts_begin) / before % values == value) row.terms.push_back({part, 1.0});
        }
      }
    }
    Row all{{}, 1, 1};
    for (Index part = f.parts_begin; part < f.parts_end; ++part) all.terms.push_back({part, 1.0});
    program_.rows.push_back(std::move(all));
  }

  void add_sequence(const Factor& f) {
    const std::span<const std::uint32_t> variables = layout_.scope(f);
    for (Index t = 0; t + 1 < variables.size(); ++t) {
      const Index from = layout_.arity(variables[t]), to = layout_.arity(variables[t + 1]);
      const Index first = layout_.transition_part(f, t, 0, 0);
      for (Index a = 0; a < from; ++a) {
        Row& row = add_equal(layout_.state(variables[t], a));
        for (Index b = 0; b < to; ++b) row.terms.push_back({first + a * to + b, 1.0});
      }
      for (Index b = 0; b < to; ++b) {
        Row& row = add_equal(layout_.state(variables[t + 1], b));
        for (Index a = 0; a < from; ++a) row.terms.push_back({first + a * to + b, 1.0});
      }
    }
  }

  void add_pair(const Factor& f) {
    const Index a = layout_.links(f)[0].state, b = layout_.links(f)[1].state;
    const Index both = f.parts_begin;
    program_.rows.push_back({{{both, 1.0}, {a, -1.0}}, -kInfinity, 0});
    program_.rows.push_back({{{both, 1.0}, {b, -1.0}}, -kInfinity, 0});
    program_.rows.push_back({{{a, 1.0}, {b, 1.0}, {both, -1.0}}, -kInfinity, 1});
  }

  void add_head(const Factor& f) {
    const std::span<const Literal> switches = layout_.links(f);
    const Index last = switches.size() + 1;
    const auto part = [&](Index a, Index b) { return FactorGraphLayout::head_part(f, a, b); };
    Row begin{{}, 1, 1};
    for (Index b = 1; b <= last; ++b) begin.terms.push_back({part(0, b), 1.0});
    program_.rows.push_back(std::move(begin));
    for (Index k = 1; k < last; ++k) {
      Row& in = add_equal(switches[k - 1].state);
      for (Index a = 0; a < k; ++a) in.terms.push_back({part(a, k), 1.0});
      Row& out = add_equal(switches[k - 1].state);
      for (Index b = k + 1; b <= last; ++b) out.terms.push_back({part(k, b), 1.0});
    }
  }

  // least ≤ Σ z over literals + Σ (1 − z) over negated ones ≤ most
  void add_count(const Factor& f, Index least, Index most) {
    Row count{{}, static_cast<double>(least), static_cast<double>(most)};
    for (const Literal& literal : layout_.links(f)) {
      count.terms.push_back({literal.state, literal.negated ? -1.0 : 1.0});
      if (!literal.negated) continue;
      count.lower -= 1;
      count.upper -= 1;
    }
    program_.rows.push_back(std::move(count));
  }

  void add_tree(const Factor& f) {
    const FactorGraphLayout::Tree& tree = layout_.tree(f);
    LinearProgram arcs = tree.crossing == Crossing::kAllowed
                             ? tree_polytope(tree.graph(), tree.roots)
                             : projective_tree_polytope(tree.graph(), tree.roots);
    const std::span<const Literal> switches = layout_.links(f);
    for (Row& row : arcs.rows) {
      for (LinearProgram::Term& term : row.terms) {
        term.variable = term.variable < arcs.num_parts
                            ? Index{switches[term.variable].state}
                            : program_.num_variables + term.variable - arcs.num_parts;
      }
      program_.rows.push_back(std::move(row));
    }
    program_.num_variables += arcs.num_variables - arcs.num_parts;
  }

  const FactorGraphLayout& layout_;
  LinearProgram program_;
};

}  // namespace

LinearProgram local_polytope(const FactorGraphLayout& layout) {
  return LocalPolytope(layout).build();
}

}  // namespace trellis
