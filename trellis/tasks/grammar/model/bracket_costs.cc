#include "trellis/tasks/grammar/model/bracket_costs.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>

namespace trellis::grammar {
namespace {

using Labels = std::vector<std::string_view>;

// Calls visit(label) for each bracket of a step or an edge: the symbol's own, and those of a chain
// (whose rule is not null) below it.
template <class Visit>
void each_bracket(const TreebankGrammar& grammar, std::uint32_t symbol, const ChainRule* chain,
                  const Visit& visit) {
  const Symbol& made = grammar.symbol(symbol);
  if (made.kind == SymbolKind::kBracket) visit(grammar.labels()[made.label]);
  if (chain != nullptr) each_label(grammar.chains()[chain->via], visit);
}

class SpanCosts {
 public:
  SpanCosts(const TreebankGrammar& grammar, const Derivation& truth)
      : grammar_(grammar), tags_(truth.steps.back().end) {
    for (const DerivationStep& step : truth.steps) {
      if (step.kind == DerivationStep::Kind::kWord) tags_[step.begin] = step.symbol;
      const bool chain = step.kind == DerivationStep::Kind::kChain;
      each_bracket(grammar, step.symbol, chain ? &grammar.unary()[step.rule] : nullptr,
                   [&](std::string_view label) {
                     brackets_[{step.begin, step.end}].push_back(label);
                   });
    }
  }

  // The true brackets of a span.
  const Labels& truth(const ChartNode& node) const {
    const auto at = brackets_.find({node.begin, node.end});
    return at == brackets_.end() ? none_ : at->second;
  }

  std::int32_t of(const ChartNode& node, const ChartEdge& edge, const Labels& truth) {
    switch (edge.kind) {
      case ChartEdge::Kind::kPass:
        return 0;
      case ChartEdge::Kind::kWord:
        return tags_[node.begin] == node.symbol ? -1 : 1;
      case ChartEdge::Kind::kBinary:
        left_ = truth;
        return take(node.symbol, nullptr);
      case ChartEdge::Kind::kChain:
        break;
    }
    const ChainRule& chain = grammar_.unary()[edge.rule];
    left_ = truth;
    take(chain.child, nullptr);
    return take(node.symbol, &chain);
  }

 private:
  // Removes matched brackets from the remaining true ones: −1 for each match, 1 for each other.
  std::int32_t take(std::uint32_t symbol, const ChainRule* chain) {
    std::int32_t sum = 0;
    each_bracket(grammar_, symbol, chain, [&](std::string_view label) {
      const auto at = std::ranges::find(left_, label);
      sum += at == left_.end() ? 1 : -1;
      if (at != left_.end()) left_.erase(at);
    });
    return sum;
  }

  const TreebankGrammar& grammar_;
  std::vector<std::uint32_t> tags_;                                     // by word
  std::map<std::pair<std::uint32_t, std::uint32_t>, Labels> brackets_;  // by span
  Labels none_, left_;
};

}  // namespace

void bracket_costs(const TreebankGrammar& grammar, const ChartForest& chart,
                   const Derivation& truth, std::vector<std::int32_t>& costs) {
  SpanCosts span_costs(grammar, truth);
  costs.clear();
  costs.reserve(chart.edges.size());
  for (Index v = 0; v < chart.nodes.size(); ++v) {
    const Labels& true_labels = span_costs.truth(chart.nodes[v]);
    for (Index e = chart.forest.begin(v); e < chart.forest.end(v); ++e) {
      costs.push_back(span_costs.of(chart.nodes[v], chart.edges[e], true_labels));
    }
  }
}

}  // namespace trellis::grammar
