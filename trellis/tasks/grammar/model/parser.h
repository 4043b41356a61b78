// Parsing by a model: the forest of a sentence's trees that are worth a look (chart_maker.h),
// scored part by part, and what is asked of it: the best tree, the best ones, how likely their
// brackets are.
//
// Where the grammar has no tree for a sentence, the fragments that it does have are joined under
// the root, as few as possible (rules/fragment_grammar.h), or the words, all in one bracket.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/structure/trees/parse_forest.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/model/chart_maker.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/model/span_example.h"
#include "trellis/tasks/grammar/rules/fragment_grammar.h"

namespace trellis::grammar {

// What a sentence gets that the grammar has no tree for.
enum class Unparsed { kPartial, kFlat };
constexpr auto names_of(Unparsed) {
  return Names{"output for sentences that cannot be parsed", "partial", "flat"};
}

// What a tree is.
enum class ParseStatus { kWhole, kPartial, kFlat };
constexpr auto names_of(ParseStatus) {
  return Names{"status of a tree", "whole", "partial", "flat"};
}

struct ParserOptions {
  Unparsed unparsed = Unparsed::kPartial;
  Index max_words = 250;  // time grows with the cube, memory with the square of a sentence's length
};

struct ParsedTree {
  ConstituencyTree tree;
  double score = 0;  // of its best derivation; that fragments are joined costs nothing here
  ParseStatus status = ParseStatus::kWhole;
};

// All const: threads share it, each with a scratch of its own.
class Parser {
 public:
  // The label of a flat tree's only bracket.
  static constexpr std::string_view kFlatLabel = "X";

  struct Scratch {
    GrammarTagger::Scratch tagger;
    TagChoices choices;
    ChartMaker::Scratch maker;
    SpanExample example;  // of the sentence at hand; without nodes: its tree is flat
    ParseStatus status = ParseStatus::kWhole;
    SpanAtoms atoms;
    const Parser* features_of = nullptr;
    std::optional<SpanFeatures> whole, partial;
    std::vector<double> scores;     // of parts; what joins fragments costs kJoining
    std::vector<double> marginals;  // of parts, after marginals()
    std::vector<double> tag_weights;
    ParseForest::Scratch forest;
    ParseForest::Output output;
    Derivation derivation;
  };

  // The model must outlive it.
  explicit Parser(const GrammarModel& model, const ParserOptions& options = {});

  const GrammarModel& model() const { return *model_; }
  const ParserOptions& options() const { return options_; }
  // The grammar that the forest in a scratch is of.
  const ParsingGrammar& grammar(const Scratch& scratch) const;

  // The best tree. Throws UsageError for a sentence of no words or too many.
  void parse(std::span<const std::string> words, Scratch& scratch, ParsedTree& tree) const;

  // The k best trees, or all, where there are fewer; no two have the same brackets and tags. A
  // partial tree has as few fragments as can be, and may have several derivations, by symbols that
  // differ in what stands above or beside them: its score is that of the best. Where these are too
  // many, after 1000 derivations and 100 for each tree asked for, it ends with those trees that
  // were found. Returns log Σ exp over all derivations.
  double n_best(std::span<const std::string> words, Index k, Scratch& scratch,
                std::vector<ParsedTree>& trees) const;

  // How likely each bracket of a tree is, upon the sentence that was parsed last: by node of the
  // tree, the probability of its label over its words, tags included. Empty where its tree is flat.
  void marginals(const ConstituencyTree& tree, Scratch& scratch,
                 std::vector<double>& probabilities) const;

  // Steps of the above, for those who look into the forest: false where the tree is flat, and there
  // is none.
  bool make_forest(std::span<const std::string> words, Scratch& scratch) const;
  ConstituencyTree tree_of(std::span<const std::uint32_t> edges, std::span<const std::string> words,
                           Scratch& scratch) const;
  // What tells the features of that forest's parts; not of a generative grammar, which has none.
  SpanFeatures& features(Scratch& scratch) const {
    return scratch.status == ParseStatus::kPartial ? *scratch.partial : *scratch.whole;
  }
  // Whether an edge adds a fragment, and its score what that costs.
  bool adds_fragment(const Scratch& scratch, Index edge) const {
    return scratch.status == ParseStatus::kPartial &&
           partial_->fragments.adds_fragment(scratch.example.chart.edges[edge]);
  }
  // A fragment more costs more than anything that weights can say.
  static constexpr double kJoining = 1e6;
  // visit(label) for each label that an edge puts over the words of the node that it enters, from
  // the top; of a word's edge, its tag.
  template <class Visit>
  void each_label_of(const Scratch& scratch, const ChartNode& node, const ChartEdge& edge,
                     const Visit& visit) const;

 private:
  ConstituencyTree flat_tree(std::span<const std::string> words, Scratch& scratch) const;
  std::vector<std::uint32_t> likeliest_tags(std::span<const std::string> words,
                                            Scratch& scratch) const;
  const TagChoices* choose_tags(std::span<const std::string> words, Scratch& scratch) const;
  void score_parts(std::span<const std::string> words, Scratch& scratch) const;
  void finish(std::span<const std::string> words, double score, Scratch& scratch,
              ParsedTree& tree) const;

  const GrammarModel* model_;
  ParserOptions options_;
  ChartMaker maker_;
  // Where partial trees are asked for.
  struct Partial {
    FragmentGrammar fragments;
    ParsingGrammar grammar;
    ChartMaker maker;

    Partial(const GrammarModel& model, FragmentGrammar made);
  };
  std::unique_ptr<const Partial> partial_;
};

template <class Visit>
void Parser::each_label_of(const Scratch& scratch, const ChartNode& node, const ChartEdge& edge,
                           const Visit& visit) const {
  const TreebankGrammar& treebank = grammar(scratch).treebank();
  const Symbol& symbol = treebank.symbol(node.symbol);
  if (edge.kind == ChartEdge::Kind::kPass) return;
  if (symbol.kind == SymbolKind::kTag) visit(treebank.tags()[symbol.label]);
  if (symbol.kind == SymbolKind::kBracket) visit(treebank.labels()[symbol.label]);
  if (edge.kind == ChartEdge::Kind::kChain) {
    each_label(treebank.chains()[treebank.unary()[edge.rule].via], visit);
  }
}

}  // namespace trellis::grammar
