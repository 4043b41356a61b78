#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ranges>

#include "trellis/base/error.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {
namespace {

constexpr Index kMostNumbers = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse_factor(FactorKind kind, const std::string& why) {
  throw UsageError(fmt::format("a factor \"{}\" {}", to_string(kind), why));
}

// Sorted copies are compared, since a factor has few members.
template <class Member>
void check_distinct(FactorKind kind, std::vector<Member> members, const char* what) {
  std::ranges::sort(members);
  const auto twice = std::ranges::adjacent_find(members);
  if (twice != members.end()) refuse_factor(kind, fmt::format("has {} {} twice", what, *twice));
}

}  // namespace

Index FactorGraphBuilder::add_variable(Index arity) {
  if (arity == 0) throw UsageError("a variable must have at least one state");
  if (arity > kMostParts || layout_.num_states() + arity > kMostNumbers) {
    throw UsageError(fmt::format("a variable of {} states is too large", arity));
  }
  const Index v = layout_.num_variables();
  layout_.states_begin_.push_back(layout_.num_states() + arity);
  layout_.variable_of_.resize(layout_.num_states(), static_cast<std::uint32_t>(v));
  return v;
}

std::uint32_t FactorGraphBuilder::state(Index variable, Index k) const {
  if (variable >= layout_.num_variables() || k >= layout_.arity(variable)) {
    throw UsageError(fmt::format("there is no state {} of a variable {}", k, variable));
  }
  return static_cast<std::uint32_t>(layout_.state(variable, k));
}

Index FactorGraphBuilder::append(FactorKind kind, std::span<const Literal> links,
                                 std::span<const std::uint32_t> variables, Index own_parts,
                                 Index detail) {
  if (own_parts > kMostParts || layout_.num_parts_ + own_parts > kMostNumbers ||
      layout_.links_.size() + links.size() > kMostNumbers) {
    refuse_factor(kind, "is too large");
  }
  FactorGraphLayout::Factor f;
  f.kind = kind;
  f.detail = detail;
  f.links_begin = layout_.links_.size();
  layout_.links_.insert(layout_.links_.end(), links.begin(), links.end());
  f.links_end = layout_.links_.size();
  f.variables_begin = layout_.scope_.size();
  layout_.scope_.insert(layout_.scope_.end(), variables.begin(), variables.end());
  f.variables_end = layout_.scope_.size();
  f.parts_begin = layout_.num_parts_;  // from 0 until build() puts the states before them
  f.parts_end = layout_.num_parts_ += own_parts;
  layout_.factor_of_link_.resize(f.links_end, static_cast<std::uint32_t>(layout_.num_factors()));
  layout_.factors_.push_back(f);
  return layout_.num_factors() - 1;
}

void FactorGraphBuilder::check_variables(FactorKind kind,
                                         std::span<const std::uint32_t> variables) const {
  if (variables.empty()) refuse_factor(kind, "must have at least one variable");
  for (const std::uint32_t v : variables) {
    if (v >= layout_.num_variables()) {
      refuse_factor(kind, fmt::format("has an unknown variable {}", v));
    }
  }
  check_distinct(kind, std::vector(variables.begin(), variables.end()), "variable");
}

void FactorGraphBuilder::check_literals(FactorKind kind, std::span<const Literal> literals) const {
  if (literals.empty()) refuse_factor(kind, "must be linked to at least one state");
  std::vector<std::uint32_t> states;
  for (const Literal& literal : literals) {
    if (literal.state >= layout_.num_states()) {
      refuse_factor(kind, fmt::format("has an unknown state {}", literal.state));
    }
    states.push_back(literal.state);
  }
  check_distinct(kind, std::move(states), "state");
}

void FactorGraphBuilder::check_switch(FactorKind kind, std::uint32_t state) const {
  if (!layout_.is_switch(layout_.variable_of(state))) {
    refuse_factor(kind,
                  fmt::format("must be linked to switches, but state {} is not a switch", state));
  }
}

std::vector<Literal> FactorGraphBuilder::all_states(
    std::span<const std::uint32_t> variables) const {
  std::vector<Literal> links;
  for (const std::uint32_t v : variables) {
    for (Index k = 0; k < layout_.arity(v); ++k) links.push_back({state(v, k)});
  }
  return links;
}

Index FactorGraphBuilder::add_table(std::span<const std::uint32_t> variables) {
  check_variables(FactorKind::kTable, variables);
  Index assignments = 1;
  for (const std::uint32_t v : variables) {
    assignments *= layout_.num_values(v);  // both are at most 2²⁴
    if (assignments > kMostParts) {
      refuse_factor(FactorKind::kTable,
                    fmt::format("must have at most {} joint assignments", kMostParts));
    }
  }
  return append(FactorKind::kTable, all_states(variables), variables, assignments);
}

Index FactorGraphBuilder::add_sequence(std::span<const std::uint32_t> variables) {
  check_variables(FactorKind::kSequence, variables);
  Index transitions = 0;
  for (Index t = 0; t < variables.size(); ++t) {
    if (layout_.is_switch(variables[t])) {
      refuse_factor(
          FactorKind::kSequence,
          fmt::format("must have variables with values, but {} is a switch", variables[t]));
    }
    if (t > 0) transitions += layout_.arity(variables[t - 1]) * layout_.arity(variables[t]);
    if (transitions > kMostParts) {
      refuse_factor(FactorKind::kSequence,
                    fmt::format("must have at most {} transitions", kMostParts));
    }
  }
  return append(FactorKind::kSequence, all_states(variables), variables, transitions);
}

Index FactorGraphBuilder::add_pair(std::uint32_t a, std::uint32_t b) {
  const Literal literals[] = {{a}, {b}};
  check_literals(FactorKind::kPair, literals);
  if (layout_.variable_of(a) == layout_.variable_of(b)) {
    refuse_factor(FactorKind::kPair,
                  fmt::format("has two states of variable {}, which cannot both be on",
                              layout_.variable_of(a)));
  }
  return append(FactorKind::kPair, literals, {}, 1);
}

Index FactorGraphBuilder::add_head(std::span<const std::uint32_t> switches) {
  std::vector<Literal> links;
  for (const std::uint32_t state : switches) links.push_back({state});
  check_literals(FactorKind::kHead, links);
  for (const std::uint32_t state : switches) check_switch(FactorKind::kHead, state);
  const Index k = switches.size();
  if (k > kMostParts) refuse_factor(FactorKind::kHead, "is too large");
  return append(FactorKind::kHead, links, {}, (k + 2) * (k + 1) / 2);
}

Index FactorGraphBuilder::add_logical(FactorKind kind, std::span<const Literal> literals,
                                      Index detail) {
  check_literals(kind, literals);
  return append(kind, literals, {}, 0, detail);
}

Index FactorGraphBuilder::add_one_of(std::span<const Literal> literals) {
  return add_logical(FactorKind::kOneOf, literals);
}

Index FactorGraphBuilder::add_at_most_one(std::span<const Literal> literals) {
  return add_logical(FactorKind::kAtMostOne, literals);
}

Index FactorGraphBuilder::add_or(std::span<const Literal> literals) {
  return add_logical(FactorKind::kOr, literals);
}

Index FactorGraphBuilder::add_budget(std::span<const Literal> literals, Index budget) {
  return add_logical(FactorKind::kBudget, literals, budget);
}

Index FactorGraphBuilder::add_tree(Index words, std::span<const TreeArc> arcs, Roots roots,
                                   Crossing crossing) {
  if (words > kMostParts) refuse_factor(FactorKind::kTree, "is too large");
  std::vector<Literal> links;
  FactorGraphLayout::Tree tree;
  tree.words = words;
  tree.roots = roots;
  tree.crossing = crossing;
  tree.begin.assign(words + 1, 0);
  for (const TreeArc& arc : arcs) {
    if (arc.modifier == 0 || arc.modifier > words || arc.head > words || arc.head == arc.modifier) {
      refuse_factor(FactorKind::kTree, fmt::format("of {} words has no arc from {} to {}", words,
                                                   arc.head, arc.modifier));
    }
    links.push_back({arc.state});
    tree.head.push_back(arc.head);
    ++tree.begin[arc.modifier];
  }
  const auto sorted = [](const TreeArc& a, const TreeArc& b) {
    return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
  };
  if (!std::ranges::is_sorted(arcs, sorted)) {
    refuse_factor(FactorKind::kTree, "must have its arcs sorted by modifier and then by head");
  }
  if (!links.empty()) check_literals(FactorKind::kTree, links);  // without arcs there is no tree
  for (const TreeArc& arc : arcs) check_switch(FactorKind::kTree, arc.state);
  for (Index m = 0; m < words; ++m) tree.begin[m + 1] += tree.begin[m];
  const Index f = append(FactorKind::kTree, links, {}, 0, layout_.trees_.size());
  layout_.trees_.push_back(std::move(tree));
  return f;
}

FactorGraphLayout FactorGraphBuilder::build() const {
  FactorGraphLayout layout = layout_;
  for (FactorGraphLayout::Factor& f : layout.factors_) {
    f.parts_begin += layout.num_states();
    f.parts_end += layout.num_states();
  }
  layout.num_parts_ += layout.num_states();
  if (layout.num_parts_ > kMostNumbers) throw UsageError("a factor graph has too many parts");
  layout.links_of_begin_.assign(layout.num_states() + 1, 0);
  for (const Literal& literal : layout.links_) ++layout.links_of_begin_[literal.state + 1];
  for (Index s = 0; s < layout.num_states(); ++s) {
    layout.links_of_begin_[s + 1] += layout.links_of_begin_[s];
  }
  layout.links_of_.resize(layout.links_.size());
  std::vector<Index> next = layout.links_of_begin_;
  for (Index l = 0; l < layout.links_.size(); ++l) {
    layout.links_of_[next[layout.links_[l].state]++] = static_cast<std::uint32_t>(l);
  }
  return layout;
}

}  // namespace trellis
