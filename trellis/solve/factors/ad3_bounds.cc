// The upper bound, states that it fixes, and rounded assignments, from the shares and p of AD³.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

#include "trellis/solve/factors/ad3_solver.h"

namespace trellis {
namespace {

// Pairs of fixed states are removed once the newly fixed states exceed this share of the free ones,
// or at the end; acceleration then restarts.
constexpr double kWorthwhile = 0.1;

}  // namespace

// Restores Σ_l c_l = s_i for free states, which rounding and fixed states have violated.
void Ad3::Solver::recentre() {
  std::ranges::fill(sum_, 0.0);
  for (Index l = 0; l < c_.size(); ++l) sum_[state_[l]] += c_[l];
  for (Index i = 0; i < sum_.size(); ++i) {
    sum_[i] = fixed_[i] == kFree ? (score_[i] - sum_[i]) * inverse_degree_[i] : 0.0;
  }
  for (Index l = 0; l < c_.size(); ++l) c_[l] += sum_[state_[l]];
}

// Σ_f max_f, plus, for each fixed state, its score minus its shares (the copies have these).
double Ad3::Solver::upper_bound() {
  double bound = constant_;
  const Index pairs = pair_scores_.size();
  const double* c = c_.data() + pairs_begin_;
  for (Index k = 0; k < pairs; ++k) {
    const double first = c[k], second = c[pairs + k];
    bound += std::max(std::max(0.0, first + second + pair_scores_[k]), std::max(first, second));
  }
  for (const OneOf& one : one_ofs_) {
    bound += *std::max_element(c_.data() + one.begin, c_.data() + one.end);
  }
  tree_on_.clear();
  tree_values_.clear();
  for (const Block& block : blocks_) {
    const double value = maximum_.solve(*graph_, *block.factor, links_of(block, c_), s_, on_);
    bound += value;
    if (block.factor->kind != FactorKind::kTree) continue;
    tree_on_.insert(tree_on_.end(), on_.begin(), on_.end());
    tree_values_.push_back(value);
  }
  for (Index i = 0; i < p_.size(); ++i) {
    if (fixed_[i] == 1 || inverse_degree_[i] == 0) bound += score_[i] * p_[i];
  }
  for (Index l = 0; l < pairs_begin_; ++l) {
    if (fixed_[state_[l]] == 1) bound -= c_[l];
  }
  bound_ = bound;
  return bound;
}

// A lower bound of what the bound loses if a state is on, or off: the sum of the losses of its
// factors, each alone (in mixed integer programs: reduced-cost fixing). For TABLEs, SEQUENCEs,
// HEADs and logical factors the loss counts as 0.
void Ad3::Solver::add_losses() {
  on_loss_.assign(p_.size(), 0.0);
  off_loss_.assign(p_.size(), 0.0);
  const Index pairs = pair_scores_.size();
  const double* c = c_.data() + pairs_begin_;
  const std::uint32_t* state = state_.data() + pairs_begin_;
  for (Index k = 0; k < pairs; ++k) {
    const double first = c[k], second = c[pairs + k], both = first + second + pair_scores_[k];
    const double best = std::max(std::max(0.0, both), std::max(first, second));
    on_loss_[state[k]] += best - std::max(first, both);
    off_loss_[state[k]] += best - std::max(0.0, second);
    on_loss_[state[pairs + k]] += best - std::max(second, both);
    off_loss_[state[pairs + k]] += best - std::max(0.0, first);
  }
  for (const OneOf& one : one_ofs_) add_choice_losses(one.begin, one.end, 0);
  Index trees = 0;
  for (const Block& block : blocks_) {
    if (block.factor->kind == FactorKind::kTree) add_tree_losses(block, tree_values_[trees++]);
  }
}

// Exactly one of the links is on; `spare` is the amount by which that may cost less.
void Ad3::Solver::add_choice_losses(Index begin, Index end, double spare) {
  double best = -kInfinity, second = -kInfinity;
  for (Index l = begin; l < end; ++l) {
    second = std::max(second, std::min(best, c_[l]));
    best = std::max(best, c_[l]);
  }
  for (Index l = begin; l < end; ++l) {
    const double off = c_[l] == best ? best - second : 0;
    on_loss_[state_[l]] += std::max(0.0, best - c_[l] - spare);
    off_loss_[state_[l]] += std::max(0.0, off - spare);
  }
}

// Each word's best head gives an upper bound of the tree, whatever arc is required.
void Ad3::Solver::add_tree_losses(const Block& block, double value) {
  const FactorGraphLayout::Tree& tree = graph_->tree(*block.factor);
  double heads = 0;
  for (Index m = 1; m <= tree.words; ++m) {
    heads += *std::max_element(c_.data() + block.begin + tree.begin[m - 1],
                               c_.data() + block.begin + tree.begin[m]);
  }
  for (Index m = 1; m <= tree.words; ++m) {
    add_choice_losses(block.begin + tree.begin[m - 1], block.begin + tree.begin[m], heads - value);
  }
}

void Ad3::Solver::imply(double goal, bool last, std::vector<Literal>& implied) {
  add_losses();
  const double enough = bound_ - goal;
  const Index before = implied.size();
  Index free = 0;
  for (std::uint32_t i = 0; i < p_.size(); ++i) {
    if (fixed_[i] != kFree) continue;
    ++free;
    const bool off = on_loss_[i] >= enough;
    if (off || off_loss_[i] >= enough) implied.push_back({i, off});
  }
  const auto fresh = static_cast<double>(implied.size() - before);
  if (fresh == 0 || (!last && fresh < kWorthwhile * static_cast<double>(free))) {
    implied.resize(before);
    return;
  }
  const Index end = implied.size();
  for (Index k = before; k < end; ++k) {
    const Literal literal = implied[k];
    if (!is_fixed(literal.state)) fix(literal.state, !literal.negated);
  }
  for (Index k = before; k < end; ++k) {
    if (!implied[k].negated) rule_out_others(implied[k].state, implied);
  }
  if (last) return;
  refresh();
  recentre();
}

// Exactly one state of a variable is on.
void Ad3::Solver::rule_out_others(Index state, std::vector<Literal>& implied) {
  const Index v = graph_->variable_of(state);
  for (Index k = 0; k < graph_->arity(v); ++k) {
    const Index other = graph_->state(v, k);
    if (is_fixed(other)) continue;
    fix(other, false);
    implied.push_back({static_cast<std::uint32_t>(other), true});
  }
}

// Proposes the nearest values first, then each hard factor's rounding of p, TREEs last: for these,
// both the rounding of p and their choice for the bound.
void Ad3::Solver::round_point() {
  const FactorGraphLayout& graph = *graph_;
  rounding_.resize(graph.num_variables());
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const double* p = p_.data() + graph.state(v, 0);
    rounding_[v] = graph.is_switch(v)
                       ? (p[0] > 0.5 ? 1 : 0)
                       : static_cast<std::uint32_t>(std::max_element(p, p + graph.arity(v)) - p);
  }
  for (const bool trees : {false, true}) {
    for (const Block& block : blocks_) {
      const FactorKind kind = block.factor->kind;
      if ((kind == FactorKind::kTree) == trees && is_hard(kind)) round_factor(block);
    }
  }
  propose(0);
  if (tree_on_.empty()) return;
  std::span<const std::uint32_t> on = tree_on_;
  for (const Block& block : blocks_) {
    if (block.factor->kind != FactorKind::kTree) continue;
    const Index words = graph.tree(*block.factor).words;
    switch_on(block, on.first(words));
    on = on.subspan(words);
  }
  propose(1);
}

void Ad3::Solver::round_factor(const Block& block) {
  const Index size = block.end - block.begin;
  link_scores_.resize(size);
  for (Index l = 0; l < size; ++l) link_scores_[l] = p_[state_[block.begin + l]] - 0.5;
  maximum_.solve(*graph_, *block.factor, link_scores_, s_, on_);
  switch_on(block, on_);
}

void Ad3::Solver::switch_on(const Block& block, std::span<const std::uint32_t> on) {
  Index next = 0;
  for (Index l = 0; l < block.end - block.begin; ++l) {
    const bool is_on = next < on.size() && on[next] == l;
    next += is_on ? 1 : 0;
    const Index v = graph_->variable_of(state_[block.begin + l]);
    if (graph_->is_switch(v)) rounding_[v] = is_on ? 1 : 0;
  }
}

// Skips an assignment that equals the last one proposed.
void Ad3::Solver::propose(Index kind) {
  const FactorGraphLayout& graph = *graph_;
  if (rounding_ == rounded_[kind] || rounding_ == rounded_[1 - kind]) return;
  rounded_[kind] = rounding_;
  const auto holds = [&](const Literal& literal) { return graph.holds(literal, rounding_); };
  if (!std::ranges::all_of(required_, holds) || !graph.legal(rounding_)) return;
  const double score = graph.score(s_, rounding_);
  if (score > lower_) {
    lower_ = score;
    assignment_ = rounding_;
  }
}

}  // namespace trellis
