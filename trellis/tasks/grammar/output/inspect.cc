#include "trellis/tasks/grammar/output/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/frame/training/result.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/output/rule_text.h"

namespace trellis::grammar {
namespace {

struct RuleWeight {
  std::string rule;
  double weight = 0;
  double probability = 0;  // in the generative grammar
};

// The rules with the largest weights; for a generative grammar the most probable ones, among
// symbols with several rules.
std::vector<RuleWeight> strongest_rules(const GrammarModel& model, Index top) {
  const ParsingGrammar& grammar = model.grammar();
  const TreebankGrammar& treebank = grammar.treebank();
  const SpanFeatures features(grammar.keys());
  struct Candidate {
    bool chain;
    Index rule;
    double weight, score, strength;
  };
  constexpr double kCertain = -1e-3;
  std::vector<Candidate> all;
  const auto add = [&](bool chain, Index rule, std::uint64_t fingerprint, double score) {
    const double weight = model.weights().weight(fingerprint);
    const bool choice = model.is_generative() && score < kCertain;
    if (weight == 0 && !choice) return;
    all.push_back({chain, rule, weight, score, choice ? score : std::abs(weight)});
  };
  for (Index r = 0; r < treebank.binary().size(); ++r) {
    add(false, r, features.of_binary_rule(r), grammar.generative().binary[r]);
  }
  for (Index r = 0; r < treebank.unary().size(); ++r) {
    add(true, r, features.of_chain(r), grammar.generative().chain[r]);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.strength > b.strength; });
  all.resize(std::min(top, all.size()));
  std::vector<RuleWeight> rules;
  for (const Candidate& one : all) {
    rules.push_back(
        {one.chain ? chain_text(treebank, one.rule) : binary_rule_text(treebank, one.rule),
         one.weight, portable_exp(one.score)});
  }
  return rules;
}

}  // namespace

std::string inspect_text(const GrammarModel& model, const std::string& name, Index top) {
  const TreebankGrammar& treebank = model.grammar().treebank();
  const FilterOptions& filter = model.filter();
  std::string text = fmt::format(
      "{}: {} labels and {} tags in {} symbols (vertical order {}, horizontal order {}), {} binary "
      "rules, {} chains, {} known words\n",
      name, treebank.labels().size(), treebank.tags().size(), treebank.num_symbols(),
      treebank.orders().vertical, treebank.orders().horizontal, treebank.binary().size(),
      treebank.unary().size(), model.grammar().words().levels()[0].names.size());
  text += model.is_generative()
              ? std::string("a generative grammar: no weights\n")
              : fmt::format("{} weights of features, {:.4f} of the generative grammar{}\n",
                            model.num_weights(), model.generative_weight(),
                            model.tagger() == nullptr
                                ? std::string()
                                : fmt::format(", {:.4f} of the tagger", model.tagger_weight()));
  text += filter.prune ? fmt::format("spans below {:g} and rules below {:g} are pruned\n",
                                     filter.prune_below, filter.prune_rules_below)
                       : std::string("charts are not pruned\n");
  text += provenance_text(model.training());
  text +=
      model.is_generative() ? "\nthe most probable rules\n" : "\nthe strongest weights of rules\n";
  for (const RuleWeight& one : strongest_rules(model, top)) {
    text += model.is_generative() ? fmt::format("  {:9.4f}  {}\n", one.probability, one.rule)
                                  : fmt::format("  {:+9.4f}  {} (probability {:.4f})\n", one.weight,
                                                one.rule, one.probability);
  }
  return text;
}

Value inspect_record(const GrammarModel& model, Index top) {
  const TreebankGrammar& treebank = model.grammar().treebank();
  const FilterOptions& filter = model.filter();
  Value record;
  record["vertical"] = treebank.orders().vertical;
  record["horizontal"] = treebank.orders().horizontal;
  record["symbols"] = treebank.num_symbols();
  record["binary_rules"] = treebank.binary().size();
  record["chains"] = treebank.unary().size();
  record["generative"] = model.is_generative();
  record["generative_weight"] = model.generative_weight();
  if (model.tagger() != nullptr) record["tagger_weight"] = model.tagger_weight();
  record["weights"] = model.num_weights();
  record["prune"] = filter.prune;
  record["prune_below"] = filter.prune_below;
  record["prune_rules_below"] = filter.prune_rules_below;
  record["training"] = model.training();
  record["labels"] = Value::list();
  record["tags"] = Value::list();
  for (Index k = 0; k < treebank.labels().size(); ++k) {
    record["labels"].push_back(treebank.labels()[k]);
  }
  for (Index k = 0; k < treebank.tags().size(); ++k) record["tags"].push_back(treebank.tags()[k]);
  record["rules"] = Value::list();
  for (const RuleWeight& one : strongest_rules(model, top)) {
    record["rules"].push_back(Value::record(
        {{"rule", one.rule}, {"weight", one.weight}, {"probability", one.probability}}));
  }
  return record;
}

}  // namespace trellis::grammar
