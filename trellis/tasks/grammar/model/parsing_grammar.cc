#include "trellis/tasks/grammar/model/parsing_grammar.h"

#include <utility>

#include "trellis/data/fingerprint_table.h"

namespace trellis::grammar {
namespace {

GrammarRules rules_of(const TreebankGrammar& treebank) {
  std::vector<std::uint32_t> coarse;
  for (Index a = 0; a < treebank.num_symbols(); ++a) coarse.push_back(treebank.symbol(a).coarse);
  std::vector<GrammarRules::Binary> binary;
  for (const BinaryTreebankRule& rule : treebank.binary()) {
    binary.push_back({rule.parent, rule.left, rule.right});
  }
  std::vector<GrammarRules::Chain> chains;
  for (const ChainRule& rule : treebank.unary()) chains.push_back({rule.parent, rule.child});
  return GrammarRules(treebank.start(), coarse, binary, chains);
}

// Keys are made of names, so that they do not depend on the numbers of symbols.
FeatureKeys keys_of(const TreebankGrammar& treebank) {
  FeatureKeys keys;
  for (Index a = 0; a < treebank.num_symbols(); ++a) {
    keys.symbol.push_back(fingerprint(treebank.name(a), 1));
    keys.coarse.push_back(fingerprint(treebank.coarse_names()[treebank.symbol(a).coarse], 2));
  }
  const auto three = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return combine(combine(a, b), c);
  };
  for (const auto& [parent, left, right] : treebank.binary()) {
    keys.binary.push_back(three(keys.symbol[parent], keys.symbol[left], keys.symbol[right]));
    keys.coarse_binary.push_back(three(keys.coarse[parent], keys.coarse[left], keys.coarse[right]));
  }
  for (const auto& [parent, child, via] : treebank.unary()) {
    keys.chain.push_back(
        three(keys.coarse[parent], keys.coarse[child], fingerprint(treebank.chains()[via], 3)));
  }
  for (Index t = 0; t < treebank.tags().size(); ++t) {
    keys.tag.push_back(fingerprint(treebank.tags()[t], 4));
  }
  return keys;
}

}  // namespace

ParsingGrammar::ParsingGrammar(TreebankGrammar treebank, const CoarseRules& coarse,
                               GenerativeScores generative, WordModel words)
    : treebank_(std::move(treebank)),
      coarse_rules_(coarse),
      coarse_(treebank_.coarse_names().size(), treebank_.symbol(treebank_.start()).coarse,
              coarse.binary, coarse.unary),
      rules_(rules_of(treebank_)),
      generative_(std::move(generative)),
      words_(std::move(words)),
      keys_(keys_of(treebank_)) {
  for (Index t = 0; t < treebank_.tags().size(); ++t) {
    tag_symbols_.push_back(treebank_.tag_symbol(treebank_.tags()[t]));
    coarse_tag_symbols_.push_back(treebank_.symbol(tag_symbols_.back()).coarse);
  }
}

ParsingGrammar ParsingGrammar::from_trees(TreebankGrammar treebank,
                                          std::span<const ConstituencyTree> trees,
                                          std::span<const Derivation> derivations) {
  std::vector<WordModel::Token> tokens;
  for (const ConstituencyTree& tree : trees) {
    for (const ConstituencyTree::Node& node : tree.nodes) {
      if (!node.is_preterminal()) continue;
      tokens.push_back({node.word, treebank.tags().find(node.label), node.begin_word == 0});
    }
  }
  WordModel words(tokens, treebank.tags().size());
  const CoarseRules coarse = grammar::coarse_rules(treebank, derivations);
  GenerativeScores generative = generative_scores(treebank, derivations);
  return ParsingGrammar(std::move(treebank), coarse, std::move(generative), std::move(words));
}

}  // namespace trellis::grammar
