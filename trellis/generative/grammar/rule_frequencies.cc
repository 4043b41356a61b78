#include "trellis/generative/grammar/rule_frequencies.h"

#include <algorithm>

namespace trellis {

std::vector<double> rule_frequencies(std::span<const CountedRule> rules) {
  std::uint32_t symbols = 0, kinds = 0;
  for (const CountedRule& rule : rules) {
    symbols = std::max(symbols, rule.symbol + 1);
    kinds = std::max(kinds, rule.rule_kind + 1);
  }
  std::vector<double> of_kind(kinds, 0.0);
  for (const CountedRule& rule : rules) of_kind[rule.rule_kind] += rule.count;
  // c(A′) cancels: q is brought to sum to 1 over the rules of A.
  std::vector<double> count(symbols, 0.0), kind_count(symbols, 0.0), different(symbols, 0.0);
  for (const CountedRule& rule : rules) {
    count[rule.symbol] += rule.count;
    kind_count[rule.symbol] += of_kind[rule.rule_kind];
    different[rule.symbol] += 1;
  }
  std::vector<double> frequencies;
  frequencies.reserve(rules.size());
  for (const CountedRule& rule : rules) {
    const double q = of_kind[rule.rule_kind] / kind_count[rule.symbol];
    const double d = different[rule.symbol];
    frequencies.push_back((rule.count + d * q) / (count[rule.symbol] + d));
  }
  return frequencies;
}

}  // namespace trellis
