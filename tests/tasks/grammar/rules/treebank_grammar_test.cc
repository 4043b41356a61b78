#include "trellis/tasks/grammar/rules/treebank_grammar.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::grammar {
namespace {

// A random tree over the next words, chains and flat brackets included.
void draw(ConstituencyTree& tree, Index depth, Random& random) {
  const auto label = [&] { return std::string(1, static_cast<char>('A' + random.below(4))); };
  if (depth == 0 || random.below(4) == 0) {
    tree.add_word("t" + label(), "w");
    return;
  }
  const Index node = tree.open(label());
  const Index children = random.below(3) == 0 ? 1 : 2 + random.below(4);
  for (Index k = 0; k < children; ++k) draw(tree, depth - 1, random);
  tree.close(node);
}

ConstituencyTree draw_tree(Random& random) {
  ConstituencyTree tree;
  const Index root = tree.open("TOP");
  draw(tree, 4, random);
  tree.close(root);
  return tree;
}

TEST(TreebankGrammar, ATreeComesBackFromItsDerivation) {
  for (const MarkovOrders orders : {MarkovOrders{1, 0}, MarkovOrders{1, 1}, MarkovOrders{2, 1},
                                    MarkovOrders{2, 2}, MarkovOrders{3, 9}}) {
    Random random(orders.vertical * 10 + orders.horizontal);
    TreebankGrammar grammar(orders);
    for (Index trial = 0; trial < 200; ++trial) {
      const ConstituencyTree tree = draw_tree(random);
      const Derivation derivation = grammar.add(tree);
      EXPECT_TRUE(derivation.complete);
      EXPECT_EQ(derivation.steps.back().symbol, grammar.start());
      EXPECT_EQ(grammar.tree_of(derivation, tree.words()), tree);
      const Derivation again = grammar.derive(tree);
      EXPECT_TRUE(again.complete);
      ASSERT_EQ(again.steps.size(), derivation.steps.size());
      for (Index k = 0; k < again.steps.size(); ++k) {
        EXPECT_EQ(again.steps[k].rule, derivation.steps[k].rule);
        EXPECT_EQ(again.steps[k].symbol, derivation.steps[k].symbol);
      }
    }
  }
}

ConstituencyTree small_tree() {
  ConstituencyTree tree;  // (TOP (S (NP (DT a) (JJ b) (NN c)) (VP (VB d))))
  const Index top = tree.open("TOP"), s = tree.open("S"), np = tree.open("NP");
  tree.add_word("DT", "a");
  tree.add_word("JJ", "b");
  tree.add_word("NN", "c");
  tree.close(np);
  const Index vp = tree.open("VP");
  tree.add_word("VB", "d");
  tree.close(vp);
  tree.close(s);
  tree.close(top);
  return tree;
}

std::set<std::string> symbols_of(const MarkovOrders& orders) {
  TreebankGrammar grammar(orders);
  grammar.add(small_tree());
  std::set<std::string> names;
  for (Index a = 0; a < grammar.num_symbols(); ++a) names.emplace(grammar.name(a));
  return names;
}

TEST(TreebankGrammar, SymbolsRememberAncestorsAndSiblings) {
  EXPECT_EQ(symbols_of({1, 0}),
            (std::set<std::string>{"TOP", "S", "NP", "VP", "@NP", "#DT", "#JJ", "#NN", "#VB"}));
  EXPECT_EQ(symbols_of({2, 1}), (std::set<std::string>{"TOP", "S^TOP", "NP^S", "VP^S", "@NP^S|DT",
                                                       "#DT", "#JJ", "#NN", "#VB"}));
  EXPECT_EQ(symbols_of({3, 1}).count("NP^S^TOP"), 1U);
}

TEST(TreebankGrammar, TellsWhatItCannotDerive) {
  TreebankGrammar grammar(MarkovOrders{1, 0});
  grammar.add(small_tree());
  ConstituencyTree other = small_tree();
  EXPECT_TRUE(grammar.derive(other).complete);
  other.nodes[3].label = "XX";
  EXPECT_FALSE(grammar.derive(other).complete);
  EXPECT_EQ(grammar.tag_symbol("XX"), TreebankGrammar::kNone);
  EXPECT_NE(grammar.tag_symbol("DT"), TreebankGrammar::kNone);
}

}  // namespace
}  // namespace trellis::grammar
