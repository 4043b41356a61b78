#include "trellis/tasks/grammar/rules/coarse_grammar.h"

#include <map>
#include <tuple>
#include <vector>

namespace trellis::grammar {
namespace {

// Counts of rules, and of the symbols that they rewrite.
struct CoarseCounts {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, double> binary;
  std::map<std::tuple<std::uint32_t, std::uint32_t>, double> unary;
  std::vector<double> parents;

  void add(std::uint32_t parent, std::uint32_t left, std::uint32_t right) {
    binary[{parent, left, right}] += 1;
    parents[parent] += 1;
  }
  void add(std::uint32_t parent, std::uint32_t child) {
    unary[{parent, child}] += 1;
    parents[parent] += 1;
  }
};

}  // namespace

CoarseRules coarse_rules(const TreebankGrammar& grammar, std::span<const Derivation> derivations) {
  CoarseCounts counts;
  counts.parents.resize(grammar.coarse_names().size(), 0.0);
  const auto coarse = [&](std::uint32_t symbol) { return grammar.symbol(symbol).coarse; };
  for (const Derivation& derivation : derivations) {
    for (const DerivationStep& step : derivation.steps) {
      if (step.kind == DerivationStep::Kind::kBinary) {
        counts.add(coarse(step.symbol), coarse(derivation.steps[step.first].symbol),
                   coarse(derivation.steps[step.second].symbol));
      } else if (step.kind == DerivationStep::Kind::kChain) {
        std::uint32_t above = coarse(step.symbol);
        each_label(grammar.chains()[grammar.unary()[step.rule].via], [&](std::string_view label) {
          const std::uint32_t below = grammar.coarse_names().find(label);
          counts.add(above, below);
          above = below;
        });
        counts.add(above, coarse(derivation.steps[step.first].symbol));
      }
    }
  }
  CoarseRules rules;
  for (const auto& [rule, count] : counts.binary) {
    const auto [parent, left, right] = rule;
    rules.binary.push_back({parent, left, right, count / counts.parents[parent]});
  }
  for (const auto& [rule, count] : counts.unary) {
    const auto [parent, child] = rule;
    rules.unary.push_back({parent, child, count / counts.parents[parent]});
  }
  return rules;
}

}  // namespace trellis::grammar
