#include "trellis/structure/trees/chart_forest.h"

#include <algorithm>
#include <cassert>
#include <ranges>

namespace trellis {

void KeptSpans::assign(Index words, Index num_coarse, bool keep) {
  words_ = words;
  num_coarse_ = std::max<Index>(1, num_coarse);
  const Index spans = words * (words + 1) / 2;
  kept_.assign(spans * num_coarse_, keep ? 1 : 0);
  any_.assign(spans, keep ? 1 : 0);
}

Index KeptSpans::num_kept() const {
  return static_cast<Index>(std::ranges::count(kept_, std::uint8_t{1}));
}

void ChartForest::clear() {
  forest.clear();
  nodes.clear();
  edges.clear();
}

void ChartForestBuilder::build(const GrammarRules& rules,
                               std::span<const std::vector<std::uint32_t>> tags,
                               const KeptSpans& kept, ChartForest& out) {
  rules_ = &rules;
  tags_ = tags;
  kept_ = &kept;
  n_ = tags.size();
  assert(kept.words() == n_);
  whole_.clear();
  out.clear();
  items_.clear();
  items_begin_.assign((n_ + 1) * (n_ + 1), 0);
  items_end_.assign((n_ + 1) * (n_ + 1), 0);
  count_.assign(rules.num_symbols(), 0);
  std::uint32_t goal = kNoNode;
  // Spans that end at j, from the right: those that they are made of come before.
  for (Index j = 1; j <= n_; ++j) {
    ending_here_.assign(j * rules.num_symbols(), kNoNode);
    for (Index i = j; i-- > 0;) {
      if (kept.keeps_any(i, j)) fill_span(i, j);
    }
  }
  if (n_ > 0) goal = ending_here_[rules.start()];
  if (goal != kNoNode)
    trim(
        whole_, goal, [](Index) { return true; }, out);
}

void ChartForestBuilder::fill_span(Index i, Index j) {
  made_.clear();
  if (j == i + 1) {
    for (const std::uint32_t tag : tags_[i]) {
      if (kept_->keeps(i, j, rules_->coarse(tag))) {
        made_.push_back({tag, {ChartEdge::Kind::kWord, 0, 0}, {}});
      }
    }
  } else {
    make_binary(i, j);
  }
  below_.clear();
  add_made(i, j, false);
  make_chains(i, j);
  end_span(i, j);
}

void ChartForestBuilder::make_binary(Index i, Index j) {
  const Index symbols = rules_->num_symbols();
  for (Index k = i + 1; k < j; ++k) {
    if (items_begin_[span(k, j)] == items_end_[span(k, j)]) continue;
    const std::uint32_t* right = &ending_here_[k * symbols];
    for (Index t = items_begin_[span(i, k)]; t < items_end_[span(i, k)]; ++t) {
      const Item left = items_[t];
      for (const GrammarRules::WithRight& rule : rules_->with_left(left.symbol)) {
        const std::uint32_t other = right[rule.right];
        if (other == kNoNode || !kept_->keeps(i, j, rules_->coarse(rule.parent))) continue;
        made_.push_back({rule.parent,
                         {ChartEdge::Kind::kBinary, rule.rule, static_cast<std::uint32_t>(k)},
                         {left.node, other}});
      }
    }
  }
}

// What was made becomes nodes, ascending by symbol, with their edges in the order of making.
void ChartForestBuilder::add_made(Index i, Index j, bool above) {
  touched_.clear();
  for (const Made& made : made_) {
    if (count_[made.symbol]++ == 0) touched_.push_back(made.symbol);
  }
  std::ranges::sort(touched_);
  std::uint32_t begin = 0;
  for (const std::uint32_t symbol : touched_) {
    const std::uint32_t size = count_[symbol];
    count_[symbol] = begin;
    begin += size;
  }
  sorted_.resize(made_.size());
  for (const Made& made : made_) sorted_[count_[made.symbol]++] = made;
  for (const std::uint32_t symbol : touched_) count_[symbol] = 0;
  for (Index k = 0; k < sorted_.size(); ++k) {
    const Made& made = sorted_[k];
    if (k == 0 || made.symbol != sorted_[k - 1].symbol) {
      const std::uint32_t node = whole_.forest.add_node();
      whole_.nodes.push_back(
          {made.symbol, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), above});
      below_.push_back({made.symbol, node});
    }
    whole_.forest.add_edge(made.tails.left, made.tails.right);
    whole_.edges.push_back(made.edge);
  }
}

void ChartForestBuilder::make_chains(Index i, Index j) {
  made_.clear();
  for (const Item& item : below_) {
    if (rules_->tops_chains(item.symbol)) {
      made_.push_back({item.symbol, {ChartEdge::Kind::kPass, 0, 0}, {item.node, kNoNode}});
    }
    for (const GrammarRules::Above& rule : rules_->above(item.symbol)) {
      if (!kept_->keeps(i, j, rules_->coarse(rule.parent))) continue;
      made_.push_back({rule.parent, {ChartEdge::Kind::kChain, rule.rule, 0}, {item.node, kNoNode}});
    }
  }
  std::erase_if(below_, [&](const Item& item) { return rules_->tops_chains(item.symbol); });
  add_made(i, j, true);
}

void ChartForestBuilder::end_span(Index i, Index j) {
  items_begin_[span(i, j)] = static_cast<std::uint32_t>(items_.size());
  items_.insert(items_.end(), below_.begin(), below_.end());
  items_end_[span(i, j)] = static_cast<std::uint32_t>(items_.size());
  for (const Item& item : below_) ending_here_[i * rules_->num_symbols() + item.symbol] = item.node;
}

void ChartForestBuilder::keep_edges(const ChartForest& from, std::span<const std::uint8_t> keep,
                                    ChartForest& out) {
  out.clear();
  const PackedForest& forest = from.forest;
  const Index nodes = forest.num_nodes();
  if (nodes == 0) return;
  derived_.assign(nodes, 0);
  const auto whole = [&](Index e) {
    const PackedForest::Tails tails = forest.tails(e);
    return keep[e] != 0 && (tails.left == kNoNode || derived_[tails.left] != 0) &&
           (tails.right == kNoNode || derived_[tails.right] != 0);
  };
  for (Index v = 0; v < nodes; ++v) {
    for (Index e = forest.begin(v); e < forest.end(v); ++e) {
      if (whole(e)) derived_[v] = 1;
    }
  }
  if (derived_[nodes - 1] == 0) return;
  trim(from, static_cast<std::uint32_t>(nodes - 1), whole, out);
}

// From the goal down, then the nodes that it reaches in their order.
template <class Keep>
void ChartForestBuilder::trim(const ChartForest& from, std::uint32_t goal, const Keep& keep,
                              ChartForest& out) {
  const PackedForest& forest = from.forest;
  place_.assign(forest.num_nodes(), kNoNode);
  place_[goal] = 0;
  for (Index v = goal + Index{1}; v-- > 0;) {
    if (place_[v] == kNoNode) continue;
    for (Index e = forest.begin(v); e < forest.end(v); ++e) {
      if (!keep(e)) continue;
      const PackedForest::Tails tails = forest.tails(e);
      if (tails.left != kNoNode) place_[tails.left] = 0;
      if (tails.right != kNoNode) place_[tails.right] = 0;
    }
  }
  const auto moved = [&](std::uint32_t tail) { return tail == kNoNode ? kNoNode : place_[tail]; };
  for (Index v = 0; v <= goal; ++v) {
    if (place_[v] == kNoNode) continue;
    place_[v] = out.forest.add_node();
    out.nodes.push_back(from.nodes[v]);
    for (Index e = forest.begin(v); e < forest.end(v); ++e) {
      if (!keep(e)) continue;
      const PackedForest::Tails tails = forest.tails(e);
      out.forest.add_edge(moved(tails.left), moved(tails.right));
      out.edges.push_back(from.edges[e]);
    }
  }
}

}  // namespace trellis
