#include "trellis/tasks/grammar/rules/generative_scores.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "trellis/data/fingerprint_table.h"
#include "trellis/generative/grammar/rule_frequencies.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::grammar {
namespace {

constexpr double kNever = -15;  // for unseen but possible rules

// How often each rule and each pass occurs.
struct RuleUse {
  std::vector<double> binary, chain, pass;
};

RuleUse count_rules(const TreebankGrammar& grammar, std::span<const Derivation> derivations) {
  RuleUse use;
  use.binary.assign(grammar.binary().size(), 0.0);
  use.chain.assign(grammar.unary().size(), 0.0);
  use.pass.assign(grammar.num_symbols(), 0.0);
  for (const Derivation& derivation : derivations) {
    for (const DerivationStep& step : derivation.steps) {
      if (step.kind == DerivationStep::Kind::kBinary) {
        use.binary[step.rule] += 1;
        use.pass[step.symbol] += 1;
      } else if (step.kind == DerivationStep::Kind::kChain) {
        use.chain[step.rule] += 1;
        use.pass[derivation.steps[step.first].symbol] -= 1;  // it is below a chain
      }
    }
  }
  return use;
}

// Numbers kinds in the order of occurrence.
class KindNumbers {
 public:
  std::uint32_t operator()(std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace(combine(combine(first, second), third), next).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

// Rules that occur, and their numbers.
struct SeenRules {
  std::vector<CountedRule> rules;
  std::vector<Index> numbers;

  void add(const CountedRule& rule, Index number) {
    if (!(rule.count > 0)) return;
    rules.push_back(rule);
    numbers.push_back(number);
  }
  // Writes scores[number] for each rule.
  void write(std::vector<double>& scores) const {
    const std::vector<double> frequencies = rule_frequencies(rules);
    for (Index k = 0; k < numbers.size(); ++k) {
      scores[numbers[k]] = std::max(kNever, portable_log(frequencies[k]));
    }
  }
};

}  // namespace

GenerativeScores generative_scores(const TreebankGrammar& grammar,
                                   std::span<const Derivation> derivations) {
  const RuleUse use = count_rules(grammar, derivations);
  const auto plain = [&](std::uint32_t symbol) { return grammar.symbol(symbol).plain; };
  KindNumbers kind;
  SeenRules binary;
  for (Index r = 0; r < use.binary.size(); ++r) {
    const BinaryTreebankRule& rule = grammar.binary()[r];
    binary.add(
        {rule.parent, kind(plain(rule.parent), plain(rule.left), plain(rule.right)), use.binary[r]},
        r);
  }
  // Chains first, then passes by symbol.
  constexpr std::uint64_t kNoChild = ~std::uint64_t{0};
  const Index chains = use.chain.size();
  SeenRules above;
  for (Index r = 0; r < chains; ++r) {
    const ChainRule& rule = grammar.unary()[r];
    above.add({rule.parent, kind(plain(rule.parent), plain(rule.child), combine(1, rule.via)),
               use.chain[r]},
              r);
  }
  for (std::uint32_t a = 0; a < use.pass.size(); ++a) {
    above.add({a, kind(plain(a), kNoChild, 0), use.pass[a]}, chains + a);
  }
  GenerativeScores scores;
  scores.binary.assign(use.binary.size(), kNever);
  binary.write(scores.binary);
  std::vector<double> both(chains + use.pass.size(), kNever);
  above.write(both);
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(chains);
  scores.chain.assign(both.begin(), middle);
  scores.pass.assign(middle, both.end());
  return scores;
}

}  // namespace trellis::grammar
