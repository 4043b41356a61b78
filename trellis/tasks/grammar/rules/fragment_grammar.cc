#include "trellis/tasks/grammar/rules/fragment_grammar.h"

#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::grammar {
namespace {

// The weight of a rule of fragments: far below that of any treebank rule, but large enough not to
// vanish in sums.
constexpr double kFragmentWeight = 1e-8;
constexpr double kFragmentScore = -18;  // ≈ log kFragmentWeight

// Other rest symbols have names such as @NP^S|DT: no treebank symbol has this name.
constexpr std::string_view kFragmentsName = "|fragments";

}  // namespace

FragmentGrammar with_fragments(const TreebankGrammar& treebank, const CoarseRules& coarse,
                               const GenerativeScores& generative) {
  TreebankGrammarParts parts = treebank.parts();
  const std::uint32_t top = treebank.start();
  const auto fragments = static_cast<std::uint32_t>(parts.symbols.size());
  const Symbol root = parts.symbols[top];
  const auto coarse_fragments = static_cast<std::uint32_t>(parts.coarse_names.size());
  if (parts.names.add(kFragmentsName) != fragments ||
      parts.coarse_names.add(kFragmentsName) != coarse_fragments) {
    throw UsageError("the grammar already has fragments");
  }
  parts.symbols.push_back({SymbolKind::kRest, root.label, coarse_fragments, root.plain});
  const std::uint32_t direct = parts.chains.add("");
  const Index first_binary = parts.binary.size(), first_chain = parts.unary.size();
  CoarseRules extended = coarse;
  std::vector<std::uint8_t> is_coarse_fragment(coarse_fragments, 0);
  for (std::uint32_t x = 0; x < fragments; ++x) {
    if (x == top || parts.symbols[x].kind == SymbolKind::kRest) continue;
    for (const std::uint32_t parent : {top, fragments}) {
      parts.binary.push_back({parent, x, fragments});
      const ChainRule alone{parent, x, direct};
      if (treebank.find_rule(alone) == DerivationStep::kNoRule) parts.unary.push_back(alone);
    }
    const std::uint32_t of_x = parts.symbols[x].coarse;
    if (std::exchange(is_coarse_fragment[of_x], std::uint8_t{1}) != 0) continue;
    for (const std::uint32_t parent : {root.coarse, coarse_fragments}) {
      extended.binary.push_back({parent, of_x, coarse_fragments, kFragmentWeight});
      extended.unary.push_back({parent, of_x, kFragmentWeight});
    }
  }
  GenerativeScores scores = generative;
  scores.binary.resize(parts.binary.size(), kFragmentScore);
  scores.chain.resize(parts.unary.size(), kFragmentScore);
  scores.pass.resize(parts.symbols.size(), 0.0);
  return {TreebankGrammar(std::move(parts)), std::move(extended), std::move(scores), first_binary,
          first_chain};
}

Derivation FragmentGrammar::word_by_word(std::span<const std::uint32_t> tag_symbols) const {
  using Step = DerivationStep;
  const std::uint32_t top = treebank.start();
  const auto fragments = static_cast<std::uint32_t>(treebank.num_symbols() - 1);
  const auto n = static_cast<std::uint32_t>(tag_symbols.size());
  const std::uint32_t direct = treebank.chains().find("");
  Derivation derivation;
  for (std::uint32_t i = 0; i < n; ++i) {
    derivation.steps.push_back({Step::Kind::kWord, tag_symbols[i], i, i + 1, 0, 0, 0});
  }
  std::uint32_t below = n - 1;
  for (std::uint32_t i = n; i-- > 0;) {
    const std::uint32_t made = i == 0 ? top : fragments;
    if (i + 1 == n) {
      derivation.steps.push_back({Step::Kind::kChain, made, i, n,
                                  treebank.find_rule(ChainRule{made, tag_symbols[i], direct}), i,
                                  i});
    } else {
      const BinaryTreebankRule rule{made, tag_symbols[i], fragments};
      derivation.steps.push_back(
          {Step::Kind::kBinary, made, i, n, treebank.find_rule(rule), i, below});
    }
    below = static_cast<std::uint32_t>(derivation.steps.size() - 1);
  }
  return derivation;
}

}  // namespace trellis::grammar
