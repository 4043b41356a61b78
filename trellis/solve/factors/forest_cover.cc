#include "trellis/solve/factors/forest_cover.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace trellis {

class ForestCover::Builder {
 public:
  Builder(const FactorGraphLayout& layout, ForestCover& cover)
      : layout_(layout), cover_(cover), times_(layout.num_factors(), 0) {
    read_factors();
  }

  // If there are few forests, more are made and filled up with factors of the others; not if one
  // factor has most variables, because few factors fit next to it.
  void build() {
    add_forests(0, Fill::kNo);
    if (cover_.num_forests_ == 1 || cover_.num_forests_ >= kLeastForests) return;
    const std::uint32_t largest = cover_.factors_.front();
    if (2 * variables_of_[largest].size() > layout_.num_variables()) return;
    clear();
    add_forests(kLeastForests, Fill::kYes);
  }

 private:
  enum class Fill { kNo, kYes };

  void clear() {
    std::ranges::fill(times_, 0);
    cover_.num_forests_ = 0;
    cover_.pieces_.clear();
    cover_.factors_.clear();
    cover_.parents_.clear();
    cover_.variables_.clear();
    cover_.piece_states_.clear();
    cover_.alone_.clear();
  }

  void add_forests(Index least, Fill fill) {
    std::vector<std::uint32_t> order(layout_.num_factors());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return variables_of_[a].size() > variables_of_[b].size();
    });
    do {
      add_forest(order);
      if (fill == Fill::kNo) {
        std::erase_if(order, [&](std::uint32_t f) { return times_[f] > 0; });
      } else {
        std::ranges::stable_sort(
            order, [&](std::uint32_t a, std::uint32_t b) { return times_[a] < times_[b]; });
      }
    } while (cover_.num_forests_ < least ||
             std::ranges::any_of(times_, [](Index n) { return n == 0; }));
  }

  void read_factors() {
    variables_of_.resize(layout_.num_factors());
    untied_.assign(layout_.num_factors(), false);
    for (Index f = 0; f < layout_.num_factors(); ++f) {
      std::vector<std::uint32_t>& variables = variables_of_[f];
      const FactorGraphLayout::Factor& factor = layout_.factor(f);
      for (const Literal& link : layout_.links(factor)) {
        variables.push_back(static_cast<std::uint32_t>(layout_.variable_of(link.state)));
      }
      std::ranges::sort(variables);
      const auto repeated = std::unique(variables.begin(), variables.end());
      untied_[f] = repeated != variables.end() && factor.kind != FactorKind::kTable &&
                   factor.kind != FactorKind::kSequence;
      variables.erase(repeated, variables.end());
    }
  }

  std::uint32_t component(std::uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }

  bool fits(std::uint32_t f) {
    const auto taken = [&](std::uint32_t v) { return in_piece_[v]; };
    if (untied_[f]) return std::ranges::none_of(variables_of_[f], taken);
    roots_.clear();
    for (const std::uint32_t v : variables_of_[f]) {
      if (locked_[v]) return false;
      roots_.push_back(component(v));
    }
    std::ranges::sort(roots_);
    return std::ranges::adjacent_find(roots_) == roots_.end();
  }

  void add_forest(std::span<const std::uint32_t> order) {
    const Index n = layout_.num_variables();
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0U);
    locked_.assign(n, false);
    in_piece_.assign(n, false);
    factors_at_.assign(n, {});
    std::vector<std::uint32_t> chosen;
    for (const std::uint32_t f : order) {
      if (!fits(f)) continue;
      chosen.push_back(f);
      ++times_[f];
      for (const std::uint32_t v : variables_of_[f]) {
        parent_[component(v)] = component(variables_of_[f][0]);
        in_piece_[v] = true;
        locked_[v] = untied_[f];
        factors_at_[v].push_back(f);
      }
    }
    visited_.assign(layout_.num_factors(), false);
    for (const std::uint32_t f : chosen) {
      if (!visited_[f]) add_piece(f);
    }
    for (Index v = 0; v < n; ++v) cover_.alone_.push_back(!in_piece_[v]);
    ++cover_.num_forests_;
  }

  // In breadth-first order from the root: a factor's variables, then the factors attached to them.
  void add_piece(std::uint32_t root) {
    Piece piece;
    piece.forest = cover_.num_forests_;
    piece.untied = untied_[root];
    piece.factors_begin = cover_.factors_.size();
    piece.variables_begin = cover_.variables_.size();
    piece.states_begin = cover_.piece_states_.size();
    cover_.factors_.push_back(root);
    cover_.parents_.push_back(kNone);
    visited_[root] = true;
    for (Index k = piece.factors_begin; k < cover_.factors_.size(); ++k) {
      for (const std::uint32_t v : variables_of_[cover_.factors_[k]]) {
        if (!in_piece_[v]) continue;  // that it hangs on
        in_piece_[v] = false;
        done_.push_back(v);
        cover_.variables_.push_back(v);
        for (const std::uint32_t f : factors_at_[v]) {
          if (visited_[f]) continue;
          visited_[f] = true;
          cover_.factors_.push_back(f);
          cover_.parents_.push_back(v);
        }
      }
    }
    for (const std::uint32_t v : done_) in_piece_[v] = true;
    done_.clear();
    piece.factors_end = cover_.factors_.size();
    piece.variables_end = cover_.variables_.size();
    for (const std::uint32_t v : cover_.variables(piece)) {
      for (Index k = 0; k < layout_.arity(v); ++k) {
        cover_.piece_states_.push_back(static_cast<std::uint32_t>(layout_.state(v, k)));
      }
    }
    piece.num_states = cover_.piece_states_.size() - piece.states_begin;
    cover_.pieces_.push_back(piece);
  }

  const FactorGraphLayout& layout_;
  ForestCover& cover_;
  std::vector<Index> times_;  // that a factor has been taken
  std::vector<std::vector<std::uint32_t>> variables_of_;
  std::vector<bool> untied_;
  // Of the forest under construction.
  std::vector<std::uint32_t> parent_;
  std::vector<bool> in_piece_, locked_, visited_;
  std::vector<std::vector<std::uint32_t>> factors_at_;
  std::vector<std::uint32_t> roots_, done_;
};

ForestCover::ForestCover(const FactorGraphLayout& layout) : layout_(&layout) {
  Builder(layout, *this).build();
}

}  // namespace trellis
