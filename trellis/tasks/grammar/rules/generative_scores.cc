#include "trellis/tasks/grammar/rules/generative_scores.h"

#include <cstdint>
#include <unordered_map>

#include "trellis/data/fingerprint_table.h"
#include "trellis/generative/grammar/rule_frequencies.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::grammar {
namespace {

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
        use.pass[derivation.steps[step.first].symbol] -= 1;  // it stands below a chain
      }
    }
  }
  return use;
}

// Numbers of kinds as they come.
class KindNumbers {
 public:
  std::uint32_t operator()(std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace(combine(combine(first, second), third), next).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

GenerativeScores generative_scores(const TreebankGrammar& grammar,
                                   std::span<const Derivation> derivations) {
  const RuleUse use = count_rules(grammar, derivations);
  const auto plain = [&](std::uint32_t symbol) { return grammar.symbol(symbol).plain; };
  KindNumbers kind;
  std::vector<CountedRule> rules;
  for (Index r = 0; r < use.binary.size(); ++r) {
    const BinaryTreebankRule& rule = grammar.binary()[r];
    rules.push_back({rule.parent, kind(plain(rule.parent), plain(rule.left), plain(rule.right)),
                     use.binary[r]});
  }
  GenerativeScores scores;
  for (const double p : rule_frequencies(rules)) scores.binary.push_back(portable_log(p));

  constexpr double kNever = -15;  // of what was not seen, but may be
  constexpr std::uint64_t kNoChild = ~std::uint64_t{0};
  rules.clear();
  for (Index r = 0; r < use.chain.size(); ++r) {
    const ChainRule& rule = grammar.unary()[r];
    rules.push_back({rule.parent, kind(plain(rule.parent), plain(rule.child), combine(1, rule.via)),
                     use.chain[r]});
  }
  std::vector<std::uint32_t> passing;
  for (std::uint32_t a = 0; a < use.pass.size(); ++a) {
    if (!(use.pass[a] > 0)) continue;
    passing.push_back(a);
    rules.push_back({a, kind(plain(a), kNoChild, 0), use.pass[a]});
  }
  const std::vector<double> frequencies = rule_frequencies(rules);
  for (Index r = 0; r < use.chain.size(); ++r) {
    scores.chain.push_back(portable_log(frequencies[r]));
  }
  scores.pass.assign(grammar.num_symbols(), kNever);
  for (Index k = 0; k < passing.size(); ++k) {
    scores.pass[passing[k]] = portable_log(frequencies[use.chain.size() + k]);
  }
  return scores;
}

}  // namespace trellis::grammar
