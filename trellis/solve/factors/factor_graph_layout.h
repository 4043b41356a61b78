// Factor graphs with soft and hard factors (Kschischang, Frey & Loeliger 2001; Martins, Gimpel,
// Smith, Xing & Figueiredo 2010, sec. 2.2) as plain arrays: only the connections. The scores are
// separate.
//
// A variable of arity r ≥ 2 has exactly one of r states; a variable of arity 1 is a switch, whose
// single state is on or off. States have consecutive numbers, and each is a 0/1 indicator. A factor
// is linked to states; a link of a logical factor may negate its state.
//
//   TABLE        any variables                a score for each joint assignment
//   SEQUENCE     variables v_1 … v_T          a score for each pair of states of neighbours
//   PAIR         two states                   a score if both are on
//   HEAD         switches 1 … K, in order     a score for each two that are on with none between
//   ONE-OF       literals                     exactly one is true
//   AT-MOST-ONE  literals                     at most one is true
//   OR           literals                     at least one is true
//   BUDGET       literals                     at most b are true
//   TREE         switches, one for each arc   the arcs that are on form a dependency tree
//
// Parts are the states, followed, factor by factor, by the factors' own parts, for the first four
// kinds: z_p = 1 if the state is on, or if the factor's variables have the assignment p. Hard
// factors have no scores; they only forbid assignments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"

namespace trellis {

enum class FactorKind : std::uint8_t {
  kTable,
  kSequence,
  kPair,
  kHead,
  kOneOf,
  kAtMostOne,
  kOr,
  kBudget,
  kTree,
};
// Hard factors forbid assignments; the others score them.
constexpr bool is_hard(FactorKind kind) {
  return kind >= FactorKind::kOneOf;
}
constexpr auto names_of(FactorKind) {
  return Names{"kind of factor", "table",       "sequence", "pair",   "head",
               "one-of",         "at-most-one", "or",       "budget", "tree"};
}

// A state, or its negation.
struct Literal {
  std::uint32_t state = 0;
  bool negated = false;
  bool operator==(const Literal&) const = default;
};

// The arc of a TREE factor that a switch stands for; the head is a word 1 … n or the root 0.
struct TreeArc {
  std::uint32_t head = 0;
  std::uint32_t modifier = 0;
  std::uint32_t state = 0;
};

enum class Crossing : std::uint8_t { kAllowed, kForbidden };

class FactorGraphLayout {
 public:
  struct Factor {
    FactorKind kind = FactorKind::kTable;
    Index links_begin = 0, links_end = 0;          // of links()
    Index variables_begin = 0, variables_end = 0;  // of scope(): TABLE and SEQUENCE
    Index parts_begin = 0, parts_end = 0;          // its own
    Index detail = 0;                              // BUDGET: b; TREE: of tree()
  };
  // A TREE's arcs as in solve/arborescences, in the order of the factor's links.
  struct Tree {
    Index words = 0;
    std::vector<Index> begin;         // arcs of word m: begin[m − 1] … begin[m] − 1
    std::vector<std::uint32_t> head;  // by arc, ascending for each word
    Roots roots = Roots::kAny;
    Crossing crossing = Crossing::kAllowed;

    ArcGraph graph() const { return {words, begin, head}; }
  };

  Index num_variables() const { return states_begin_.size() - 1; }
  Index num_states() const { return states_begin_.back(); }
  Index num_factors() const { return factors_.size(); }
  Index num_links() const { return links_.size(); }
  Index num_parts() const { return num_parts_; }

  // States of variable v are state(v, 0) … state(v, arity(v) − 1).
  Index arity(Index v) const { return states_begin_[v + 1] - states_begin_[v]; }
  bool is_switch(Index v) const { return arity(v) == 1; }
  Index state(Index v, Index k) const { return states_begin_[v] + k; }
  Index variable_of(Index state) const { return variable_of_[state]; }
  // The values that a variable takes in an assignment: its states, or 0 and 1 for a switch.
  Index num_values(Index v) const { return is_switch(v) ? 2 : arity(v); }

  const Factor& factor(Index f) const { return factors_[f]; }
  // TABLE and SEQUENCE: all states of the scope's variables, in order. Other kinds: their literals.
  std::span<const Literal> links(const Factor& f) const {
    return std::span(links_).subspan(f.links_begin, f.links_end - f.links_begin);
  }
  std::span<const std::uint32_t> scope(const Factor& f) const {
    return std::span(scope_).subspan(f.variables_begin, f.variables_end - f.variables_begin);
  }
  const Tree& tree(const Factor& f) const { return trees_[f.detail]; }
  // The factors that a state is linked to, as positions in links(), in order.
  std::span<const std::uint32_t> links_of(Index state) const {
    return std::span(links_of_).subspan(links_of_begin_[state],
                                        links_of_begin_[state + 1] - links_of_begin_[state]);
  }
  Index factor_of_link(Index link) const { return factor_of_link_[link]; }
  const Literal& link(Index l) const { return links_[l]; }

  // Own parts. TABLE: the last variable changes fastest. SEQUENCE: position t of the scope in state
  // a and t + 1 in b, where b changes fastest and t slowest. HEAD: switches a < b of 0 … K + 1,
  // where 0 and K + 1 are the ends, which are always on.
  Index table_part(const Factor& f, std::span<const std::uint32_t> values) const;
  Index transition_part(const Factor& f, Index t, Index a, Index b) const;
  static Index head_part(const Factor& f, Index a, Index b) {
    const Index k = f.links_end - f.links_begin + 2;
    return f.parts_begin + a * (2 * k - a - 1) / 2 + (b - a - 1);
  }

  // Whether all factors allow an assignment, a value for each variable.
  bool legal(std::span<const std::uint32_t> values) const;
  bool legal(const Factor& f, std::span<const std::uint32_t> values) const;
  // Writes z of an assignment, num_parts() values.
  void indicator(std::span<const std::uint32_t> values, std::span<double> z) const;
  // Calls visit(part) for each of the factor's own parts in an assignment.
  template <class Visit>
  void each_own_part(const Factor& f, std::span<const std::uint32_t> values,
                     const Visit& visit) const;
  // s·z of an assignment, rounded once.
  double score(std::span<const double> s, std::span<const std::uint32_t> values) const;
  bool holds(const Literal& literal, std::span<const std::uint32_t> values) const {
    return is_on(literal.state, values) != literal.negated;
  }
  bool is_on(Index state, std::span<const std::uint32_t> values) const {
    const Index v = variable_of_[state];
    return is_switch(v) ? values[v] == 1 : states_begin_[v] + values[v] == state;
  }

 private:
  friend class FactorGraphBuilder;

  bool is_tree(const Factor& f, std::span<const std::uint32_t> values) const;

  std::vector<Index> states_begin_ = {0};
  std::vector<std::uint32_t> variable_of_;
  std::vector<Factor> factors_;
  std::vector<Literal> links_;
  std::vector<std::uint32_t> factor_of_link_;
  std::vector<Index> links_of_begin_ = {0};
  std::vector<std::uint32_t> links_of_;
  std::vector<std::uint32_t> scope_;
  std::vector<Tree> trees_;
  Index num_parts_ = 0;
};

template <class Visit>
void FactorGraphLayout::each_own_part(const Factor& f, std::span<const std::uint32_t> values,
                                      const Visit& visit) const {
  const std::span<const Literal> literals = links(f);
  switch (f.kind) {
    case FactorKind::kTable:
      visit(table_part(f, values));
      break;
    case FactorKind::kSequence: {
      const std::span<const std::uint32_t> variables = scope(f);
      for (Index t = 0; t + 1 < variables.size(); ++t) {
        visit(transition_part(f, t, values[variables[t]], values[variables[t + 1]]));
      }
      break;
    }
    case FactorKind::kPair:
      if (holds(literals[0], values) && holds(literals[1], values)) visit(f.parts_begin);
      break;
    case FactorKind::kHead: {
      Index last = 0;
      for (Index k = 0; k < literals.size(); ++k) {
        if (!holds(literals[k], values)) continue;
        visit(head_part(f, last, k + 1));
        last = k + 1;
      }
      visit(head_part(f, last, literals.size() + 1));
      break;
    }
    default:
      break;
  }
}

// Builds a factor graph; the call that adds an invalid factor throws UsageError.
//
//   FactorGraphBuilder builder;
//   const Index weather = builder.add_variable(3), umbrella = builder.add_switch();
//   builder.add_table({weather, umbrella});                    // six scores
//   builder.add_or({{builder.state(weather, 0)}, {builder.state(umbrella)}});
//   const FactorGraphLayout graph = builder.build();
class FactorGraphBuilder {
 public:
  // The limit on assignments of one table, and on pairs of switches of one HEAD.
  static constexpr Index kMostParts = Index{1} << 24;

  Index add_variable(Index arity);  // ≥ 1
  Index add_switch() { return add_variable(1); }
  std::uint32_t state(Index variable, Index k = 0) const;

  // Each returns the number of the factor. A variable or state occurs in a factor at most once.
  Index add_table(std::span<const std::uint32_t> variables);
  Index add_sequence(std::span<const std::uint32_t> variables);  // of arity ≥ 2, one or more
  Index add_pair(std::uint32_t a, std::uint32_t b);              // states of different variables
  Index add_head(std::span<const std::uint32_t> switches);
  Index add_one_of(std::span<const Literal> literals);
  Index add_at_most_one(std::span<const Literal> literals);
  Index add_or(std::span<const Literal> literals);
  Index add_budget(std::span<const Literal> literals, Index budget);
  // Arcs are sorted by modifier and then by head; parallel arcs have a switch each.
  Index add_tree(Index words, std::span<const TreeArc> arcs, Roots roots,
                 Crossing crossing = Crossing::kAllowed);

  FactorGraphLayout build() const;

 private:
  // Call it after all checks, so that a refused call changes nothing.
  Index append(FactorKind kind, std::span<const Literal> links,
               std::span<const std::uint32_t> variables, Index own_parts, Index detail = 0);
  Index add_logical(FactorKind kind, std::span<const Literal> literals, Index detail = 0);
  void check_variables(FactorKind kind, std::span<const std::uint32_t> variables) const;
  void check_literals(FactorKind kind, std::span<const Literal> literals) const;
  void check_switch(FactorKind kind, std::uint32_t state) const;
  std::vector<Literal> all_states(std::span<const std::uint32_t> variables) const;

  FactorGraphLayout layout_;
};

}  // namespace trellis
