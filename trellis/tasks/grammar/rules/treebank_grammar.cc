#include "trellis/tasks/grammar/rules/treebank_grammar.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::grammar {
namespace {

// Tags may have the names of labels.
constexpr char kTagMark = '#', kRestMark = '@', kAncestorMark = '^', kSiblingsMark = '|';

std::string with_ancestors(std::string_view label, std::span<const std::string_view> ancestors,
                           Index vertical) {
  std::string name(label);
  for (Index k = 0; k + 1 < vertical && k < ancestors.size(); ++k) {
    name += kAncestorMark;
    name += ancestors[ancestors.size() - 1 - k];
  }
  return name;
}

std::string siblings_name(std::span<const std::string_view> siblings, Index horizontal) {
  std::string name;
  const Index from = siblings.size() > horizontal ? siblings.size() - horizontal : 0;
  for (Index k = from; k < siblings.size(); ++k) {
    name += kSiblingsMark;
    name += siblings[k];
  }
  return name;
}

std::uint64_t hash_of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return combine(combine(a, b), c);
}

void require_part(bool holds, const char* complaint) {
  if (!holds) throw UsageError(std::string("the grammar is damaged: ") + complaint);
}

// Whether it can follow an opening bracket.
bool is_label(std::string_view text) {
  return !text.empty() && text.find_first_of("() \t\n\v\f\r") == std::string_view::npos;
}

void require_labels(const NameList& names, const char* complaint) {
  for (Index k = 0; k < names.size(); ++k) require_part(is_label(names[k]), complaint);
}

void require_symbols(const TreebankGrammarParts& parts) {
  require_part(parts.symbols.size() == parts.names.size(), "symbols without names");
  require_part(!parts.symbols.empty() && parts.symbols[0].kind == SymbolKind::kBracket &&
                   parts.labels.find(kRootLabel) == parts.symbols[0].label,
               "the first symbol is not the root");
  std::vector<bool> has_symbol(parts.tags.size(), false);
  for (Index a = 0; a < parts.symbols.size(); ++a) {
    const Symbol& symbol = parts.symbols[a];
    const bool tag = symbol.kind == SymbolKind::kTag;
    const Index labels = tag ? parts.tags.size() : parts.labels.size();
    require_part(symbol.kind <= SymbolKind::kRest, "a symbol has an unknown kind");
    require_part(symbol.label < labels && symbol.coarse < parts.coarse_names.size() &&
                     symbol.plain < parts.plain_names.size(),
                 "a symbol has no label");
    require_part(is_label(parts.names[a]), "a symbol has no name");
    if (!tag) continue;
    require_part(parts.names[a] == kTagMark + std::string(parts.tags[symbol.label]),
                 "a tag has another name");
    has_symbol[symbol.label] = true;
  }
  require_part(std::ranges::find(has_symbol, false) == has_symbol.end(), "a tag has no symbol");
  require_part(!parts.tags.empty(), "there are no tags");
}

void require_rules(const TreebankGrammarParts& parts) {
  const auto kind = [&](std::uint32_t symbol) {
    require_part(symbol < parts.symbols.size(), "a rule has an unknown symbol");
    return parts.symbols[symbol].kind;
  };
  constexpr const char* kMisplaced = "a rule has a symbol in an invalid position";
  for (const BinaryTreebankRule& rule : parts.binary) {
    require_part(kind(rule.parent) != SymbolKind::kTag && kind(rule.left) != SymbolKind::kRest,
                 kMisplaced);
    kind(rule.right);
  }
  for (const ChainRule& rule : parts.unary) {
    require_part(kind(rule.parent) != SymbolKind::kTag && kind(rule.child) != SymbolKind::kRest,
                 kMisplaced);
    require_part(rule.via < parts.chains.size(), "a unary chain has an empty step");
  }
  for (Index k = 0; k < parts.chains.size(); ++k) {
    // Labels separated by single blanks.
    std::string again;
    each_label(parts.chains[k], [&](std::string_view label) {
      require_part(is_label(label), "a unary chain has an unknown label");
      again += again.empty() ? "" : " ";
      again += label;
    });
    require_part(again == parts.chains[k], "a unary chain has an unknown label");
  }
}

}  // namespace

std::size_t TreebankGrammar::RuleHash::operator()(const BinaryTreebankRule& rule) const {
  return hash_of(rule.parent, rule.left, rule.right);
}
std::size_t TreebankGrammar::RuleHash::operator()(const ChainRule& rule) const {
  return hash_of(rule.parent, rule.child, rule.via);
}

TreebankGrammar::TreebankGrammar(const MarkovOrders& orders) : orders_(orders) {
  const std::string root(kRootLabel);
  add_symbol(
      {SymbolKind::kBracket, labels_.add(root), coarse_names_.add(root), plain_names_.add(root)},
      root);
}

TreebankGrammar::TreebankGrammar(TreebankGrammarParts parts) : orders_(parts.orders) {
  require_part(orders_.vertical >= 1, "its vertical order is 0");
  require_labels(parts.labels, "a label is not valid");
  require_labels(parts.tags, "a tag is not valid");
  require_labels(parts.coarse_names, "a coarse symbol has no name");
  require_symbols(parts);
  require_rules(parts);
  names_ = std::move(parts.names);
  labels_ = std::move(parts.labels);
  tags_ = std::move(parts.tags);
  coarse_names_ = std::move(parts.coarse_names);
  plain_names_ = std::move(parts.plain_names);
  chains_ = std::move(parts.chains);
  symbols_ = std::move(parts.symbols);
  for (const BinaryTreebankRule& rule : parts.binary) add_rule(rule);
  for (const ChainRule& rule : parts.unary) add_rule(rule);
  require_part(binary_.size() == parts.binary.size() && unary_.size() == parts.unary.size(),
               "it has a rule twice");
}

TreebankGrammarParts TreebankGrammar::parts() const {
  return {orders_,       names_,       symbols_, labels_, tags_,
          coarse_names_, plain_names_, chains_,  binary_, unary_};
}

std::uint32_t TreebankGrammar::add_symbol(const Symbol& symbol, const std::string& name) {
  const std::uint32_t number = names_.add(name);
  if (number == symbols_.size()) symbols_.push_back(symbol);
  return number;
}

std::uint32_t TreebankGrammar::add_rule(const BinaryTreebankRule& rule) {
  const auto [at, fresh] =
      binary_number_.try_emplace(rule, static_cast<std::uint32_t>(binary_.size()));
  if (fresh) binary_.push_back(rule);
  return at->second;
}

std::uint32_t TreebankGrammar::add_rule(const ChainRule& rule) {
  const auto [at, fresh] =
      unary_number_.try_emplace(rule, static_cast<std::uint32_t>(unary_.size()));
  if (fresh) unary_.push_back(rule);
  return at->second;
}

std::uint32_t TreebankGrammar::find_rule(const BinaryTreebankRule& rule) const {
  const auto at = binary_number_.find(rule);
  return at == binary_number_.end() ? DerivationStep::kNoRule : at->second;
}

std::uint32_t TreebankGrammar::find_rule(const ChainRule& rule) const {
  const auto at = unary_number_.find(rule);
  return at == unary_number_.end() ? DerivationStep::kNoRule : at->second;
}

std::uint32_t TreebankGrammar::tag_symbol(std::string_view tag) const {
  return names_.find(kTagMark + std::string(tag));
}

// Derives a tree by `grammar` and the additions in `more`, which is the same grammar or null.
class TreebankGrammar::Binariser {
 public:
  Binariser(const TreebankGrammar& grammar, TreebankGrammar* more, const ConstituencyTree& tree)
      : grammar_(grammar), more_(more), tree_(tree) {}

  Derivation run() {
    derive(0);
    return std::move(derivation_);
  }

 private:
  using Step = DerivationStep;

  const ConstituencyTree::Node& node(Index i) const { return tree_.nodes[i]; }
  bool is_only_child(Index i, Index parent) const { return node(i).end == node(parent).end; }

  // Makes the step for a node.
  std::uint32_t derive(Index top) {
    Index bottom = top;
    std::string via;
    const Index depth = ancestors_.size();
    while (!node(bottom).is_preterminal() && is_only_child(bottom + 1, bottom)) {
      if (bottom != top) {
        if (!via.empty()) via += ' ';
        via += node(bottom).label;
      }
      ancestors_.push_back(node(bottom).label);
      ++bottom;
    }
    std::uint32_t step = node(bottom).is_preterminal() ? add_word(bottom) : derive_children(bottom);
    ancestors_.resize(depth);
    if (bottom != top) step = add_chain(top, step, via);
    return step;
  }

  std::uint32_t derive_children(Index parent) {
    const std::uint32_t symbol = bracket(parent);
    ancestors_.push_back(node(parent).label);
    std::vector<std::uint32_t> children;
    std::vector<std::string_view> siblings;
    for (Index child = parent + 1; child < node(parent).end; child = node(child).end) {
      children.push_back(derive(child));
      siblings.push_back(node(child).label);
    }
    ancestors_.pop_back();
    std::uint32_t right = children.back();
    for (Index k = children.size() - 1; k-- > 0;) {
      const std::uint32_t made = k == 0 ? symbol : rest(parent, std::span(siblings).first(k));
      right = add_binary(made, children[k], right);
    }
    return right;
  }

  std::uint32_t add_word(Index i) {
    const std::string name = kTagMark + node(i).label;
    std::uint32_t symbol = grammar_.names_.find(name);
    if (symbol == kNone && more_ != nullptr) {
      symbol = more_->add_symbol({SymbolKind::kTag, more_->tags_.add(node(i).label),
                                  more_->coarse_names_.add(name), more_->plain_names_.add(name)},
                                 name);
    }
    return add({Step::Kind::kWord, symbol, node(i).begin_word, node(i).end_word, 0, 0, 0});
  }

  std::uint32_t bracket(Index i) {
    const std::string& label = node(i).label;
    const std::string name = with_ancestors(label, ancestors_, grammar_.orders_.vertical);
    const std::uint32_t known = grammar_.names_.find(name);
    if (known != kNone || more_ == nullptr) return known;
    return more_->add_symbol({SymbolKind::kBracket, more_->labels_.add(label),
                              more_->coarse_names_.add(label), more_->plain_names_.add(label)},
                             name);
  }

  // Makes the step for the remaining children of node i.
  std::uint32_t rest(Index i, std::span<const std::string_view> siblings) {
    const std::string& label = node(i).label;
    const std::string coarse = kRestMark + label;
    const std::string before = siblings_name(siblings, grammar_.orders_.horizontal);
    const std::string name =
        kRestMark + with_ancestors(label, ancestors_, grammar_.orders_.vertical) + before;
    const std::uint32_t known = grammar_.names_.find(name);
    if (known != kNone || more_ == nullptr) return known;
    return more_->add_symbol(
        {SymbolKind::kRest, more_->labels_.add(label), more_->coarse_names_.add(coarse),
         more_->plain_names_.add(coarse + before)},
        name);
  }

  std::uint32_t add_binary(std::uint32_t symbol, std::uint32_t left, std::uint32_t right) {
    const Step &first = derivation_.steps[left], &second = derivation_.steps[right];
    const std::uint32_t rule = number(BinaryTreebankRule{symbol, first.symbol, second.symbol});
    return add({Step::Kind::kBinary, symbol, first.begin, second.end, rule, left, right});
  }

  std::uint32_t add_chain(Index top, std::uint32_t below, const std::string& via) {
    const Step& child = derivation_.steps[below];
    const std::uint32_t symbol = bracket(top);
    std::uint32_t labels = grammar_.chains_.find(via);
    if (labels == kNone && more_ != nullptr) {
      labels = more_->chains_.add(via);
      each_label(via, [&](std::string_view label) { more_->coarse_names_.add(label); });
    }
    const std::uint32_t rule =
        labels == kNone ? Step::kNoRule : number(ChainRule{symbol, child.symbol, labels});
    return add({Step::Kind::kChain, symbol, child.begin, child.end, rule, below, below});
  }

  template <class Rule>
  std::uint32_t number(const Rule& rule) {
    return more_ != nullptr ? more_->add_rule(rule) : grammar_.find_rule(rule);
  }

  std::uint32_t add(const Step& step) {
    if (step.symbol == kNone || step.rule == Step::kNoRule) derivation_.complete = false;
    derivation_.steps.push_back(step);
    return static_cast<std::uint32_t>(derivation_.steps.size() - 1);
  }

  const TreebankGrammar& grammar_;
  TreebankGrammar* more_;
  const ConstituencyTree& tree_;
  std::vector<std::string_view> ancestors_;  // labels from the root
  Derivation derivation_;
};

Derivation TreebankGrammar::add(const ConstituencyTree& tree) {
  return Binariser(*this, this, tree).run();
}

Derivation TreebankGrammar::derive(const ConstituencyTree& tree) const {
  return Binariser(*this, nullptr, tree).run();
}

ConstituencyTree TreebankGrammar::tree_of(const Derivation& derivation,
                                          const std::vector<std::string>& words) const {
  ConstituencyTree tree;
  const auto write = [&](const auto& self, std::uint32_t at) -> void {
    const DerivationStep& step = derivation.steps[at];
    const Symbol& made = symbols_[step.symbol];
    if (step.kind == DerivationStep::Kind::kWord) {
      tree.add_word(std::string(tags_[made.label]), words[step.begin]);
      return;
    }
    std::vector<Index> opened;
    if (made.kind == SymbolKind::kBracket) {
      opened.push_back(tree.open(std::string(labels_[made.label])));
    }
    if (step.kind == DerivationStep::Kind::kChain) {
      each_label(chains_[unary_[step.rule].via],
                 [&](std::string_view label) { opened.push_back(tree.open(std::string(label))); });
    }
    self(self, step.first);
    if (step.kind == DerivationStep::Kind::kBinary) self(self, step.second);
    for (Index k = opened.size(); k-- > 0;) tree.close(opened[k]);
  };
  write(write, static_cast<std::uint32_t>(derivation.steps.size() - 1));
  return tree;
}

}  // namespace trellis::grammar
