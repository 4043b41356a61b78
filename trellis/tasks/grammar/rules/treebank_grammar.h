// The grammar of the binarised trees of a treebank: symbols and rules as numbers, and a tree as the
// steps of its derivation.
//
// A bracket with several children becomes binary ones (Klein & Manning 2003: Markovisation):
//
//   A → B₁ B₂ B₃      A → B₁ @A|B₁,   @A|B₁ → B₂ B₃
//
// A symbol has the labels of its ancestors up to a vertical order, NP^S; a rest symbol (@A|B₁) has
// the preceding siblings up to a horizontal order. Tags have neither.
//
// A chain of brackets over the same words is one rule of any length: S → VP → VB is the chain S →
// VB via VP. So a derivation has at most one chain over a span, chains have no cycles, and a
// sentence has finitely many trees.
//
// Coarse symbols have no ancestors and no siblings: NP, @NP, NN.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/brackets/tree.h"

namespace trellis::grammar {

struct MarkovOrders {
  Index vertical = 1;    // 1: only the bracket's own label
  Index horizontal = 1;  // 0: no siblings
  bool operator==(const MarkovOrders&) const = default;
};

enum class SymbolKind : std::uint8_t { kTag, kBracket, kRest };

struct Symbol {
  SymbolKind kind = SymbolKind::kTag;
  std::uint32_t label = 0;   // in labels(), or for tags in tags()
  std::uint32_t coarse = 0;  // in coarse_names()
  std::uint32_t plain = 0;   // in plain_names(): without ancestors, with siblings
};

struct BinaryTreebankRule {
  std::uint32_t parent = 0, left = 0, right = 0;
  bool operator==(const BinaryTreebankRule&) const = default;
};
struct ChainRule {
  std::uint32_t parent = 0, child = 0;
  std::uint32_t via = 0;  // in chains(): the labels between, separated by blanks
  bool operator==(const ChainRule&) const = default;
};

// One step of a derivation: a word, a binary rule or a chain.
struct DerivationStep {
  enum class Kind : std::uint8_t { kWord, kBinary, kChain };
  static constexpr std::uint32_t kNoRule = ~std::uint32_t{0};

  Kind kind = Kind::kWord;
  std::uint32_t symbol = 0;             // made by the step
  std::uint32_t begin = 0, end = 0;     // words
  std::uint32_t rule = 0;               // binary or chain; kNoRule if the grammar lacks it
  std::uint32_t first = 0, second = 0;  // steps below it
};
// Children come before parents; the last step makes the root. Incomplete if the grammar lacks a
// symbol or a rule.
struct Derivation {
  std::vector<DerivationStep> steps;
  bool complete = true;
};

// Calls visit(label) for each label of chains(), from the top.
template <class Visit>
void each_label(std::string_view via, const Visit& visit) {
  while (!via.empty()) {
    const Index end = std::min(via.find(' '), via.size());
    visit(via.substr(0, end));
    via.remove_prefix(std::min(end + 1, via.size()));
  }
}

// A grammar as plain arrays, for model files.
struct TreebankGrammarParts {
  MarkovOrders orders;
  NameList names;  // of symbols
  std::vector<Symbol> symbols;
  NameList labels, tags, coarse_names, plain_names, chains;
  std::vector<BinaryTreebankRule> binary;
  std::vector<ChainRule> unary;
};

class TreebankGrammar {
 public:
  static constexpr std::uint32_t kNone = NameList::kNone;

  explicit TreebankGrammar(const MarkovOrders& orders);
  // Throws UsageError for parts that are not a grammar: checks every number, and that each
  // derivation gives a tree with labels that can be written in brackets.
  explicit TreebankGrammar(TreebankGrammarParts parts);
  TreebankGrammarParts parts() const;

  const MarkovOrders& orders() const { return orders_; }
  Index num_symbols() const { return symbols_.size(); }
  const Symbol& symbol(Index a) const { return symbols_[a]; }
  std::string_view name(Index a) const { return names_[a]; }
  std::uint32_t start() const { return 0; }
  const NameList& labels() const { return labels_; }
  const NameList& tags() const { return tags_; }
  const NameList& coarse_names() const { return coarse_names_; }
  const NameList& plain_names() const { return plain_names_; }
  const NameList& chains() const { return chains_; }
  const std::vector<BinaryTreebankRule>& binary() const { return binary_; }
  const std::vector<ChainRule>& unary() const { return unary_; }
  // DerivationStep::kNoRule if there is no such rule.
  std::uint32_t find_rule(const BinaryTreebankRule& rule) const;
  std::uint32_t find_rule(const ChainRule& rule) const;
  // The symbol of a tag; kNone for an unknown tag.
  std::uint32_t tag_symbol(std::string_view tag) const;

  // Adds the symbols and rules of the tree, and derives it.
  Derivation add(const ConstituencyTree& tree);
  // Derives the tree by the existing symbols and rules.
  Derivation derive(const ConstituencyTree& tree) const;
  // The tree of a derivation over these words.
  ConstituencyTree tree_of(const Derivation& derivation,
                           const std::vector<std::string>& words) const;

 private:
  class Binariser;

  struct RuleHash {
    std::size_t operator()(const BinaryTreebankRule& rule) const;
    std::size_t operator()(const ChainRule& rule) const;
  };

  std::uint32_t add_symbol(const Symbol& symbol, const std::string& name);
  std::uint32_t add_rule(const BinaryTreebankRule& rule);
  std::uint32_t add_rule(const ChainRule& rule);

  MarkovOrders orders_;
  NameList names_, labels_, tags_, coarse_names_, plain_names_, chains_;
  std::vector<Symbol> symbols_;
  std::vector<BinaryTreebankRule> binary_;
  std::vector<ChainRule> unary_;
  std::unordered_map<BinaryTreebankRule, std::uint32_t, RuleHash> binary_number_;
  std::unordered_map<ChainRule, std::uint32_t, RuleHash> unary_number_;
};

}  // namespace trellis::grammar
