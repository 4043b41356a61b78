// Parses with a model: makes a pruned forest of a sentence's trees (chart_maker.h), scores its
// parts, and computes the best tree, the k best trees, or the probabilities of brackets.
//
// If the grammar has no tree for a sentence, the fewest possible fragments that it does have are
// joined under the root (rules/fragment_grammar.h), or all words are put into one bracket.
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

// The result for a sentence without a tree in the grammar.
enum class Unparsed { kPartial, kFlat };
constexpr auto names_of(Unparsed) {
  return Names{"output for sentences that cannot be parsed", "partial", "flat"};
}

// The kind of a tree.
enum class ParseStatus { kWhole, kPartial, kFlat };
constexpr auto names_of(ParseStatus) {
  return Names{"status of a tree", "whole", "partial", "flat"};
}

struct ParserOptions {
  Unparsed unparsed = Unparsed::kPartial;
  Index max_words = 250;  // time is cubic, memory quadratic in a sentence's length
};

struct ParsedTree {
  ConstituencyTree tree;
  double score = 0;  // of its best derivation, without the cost of joining fragments
  ParseStatus status = ParseStatus::kWhole;
};

// Const: threads share it, each with its own scratch.
class Parser {
 public:
  // The label of a flat tree's only bracket.
  static constexpr std::string_view kFlatLabel = "X";

  struct Scratch {
    GrammarTagger::Scratch tagger;
    TagChoices choices;
    ChartMaker::Scratch maker;
    SpanExample example;  // of the current sentence; without nodes: the tree is flat
    ParseStatus status = ParseStatus::kWhole;
    SpanAtoms atoms;
    const Parser* features_of = nullptr;
    std::optional<SpanFeatures> whole, partial;
    std::vector<double> scores;     // of parts; joining fragments costs kJoining
    std::vector<double> marginals;  // of parts, after marginals()
    std::vector<double> tag_weights;
    ParseForest::Scratch forest;
    ParseForest::Output output;
    Derivation derivation;
  };

  // The model must outlive the parser.
  explicit Parser(const GrammarModel& model, const ParserOptions& options = {});

  const GrammarModel& model() const { return *model_; }
  const ParserOptions& options() const { return options_; }
  // The grammar of the forest in a scratch.
  const ParsingGrammar& grammar(const Scratch& scratch) const;

  // Finds the best tree. Throws UsageError for a sentence with no words or too many.
  void parse(std::span<const std::string> words, Scratch& scratch, ParsedTree& tree) const;

  // Finds the k best trees, or all if there are fewer; no two have the same brackets and tags. A
  // partial tree has as few fragments as possible. A tree may have several derivations, whose
  // symbols differ in ancestors or siblings: its score is that of the best. The search stops after
  // 1000 derivations plus 100 for each requested tree, and then returns the trees found. Returns
  // log Σ exp over all derivations.
  double n_best(std::span<const std::string> words, Index k, Scratch& scratch,
                std::vector<ParsedTree>& trees) const;

  // The probability of each bracket of a tree, given the last parsed sentence: by node of the tree,
  // for its label over its words, including tags. Empty if the tree is flat.
  void marginals(const ConstituencyTree& tree, Scratch& scratch,
                 std::vector<double>& probabilities) const;

  // Steps of the functions above, to inspect the forest. False if the tree is flat: then there is
  // no forest.
  bool make_forest(std::span<const std::string> words, Scratch& scratch) const;
  ConstituencyTree tree_of(std::span<const std::uint32_t> edges, std::span<const std::string> words,
                           Scratch& scratch) const;
  // Gives the features of that forest's parts; a generative grammar has none.
  SpanFeatures& features(Scratch& scratch) const {
    return scratch.status == ParseStatus::kPartial ? *scratch.partial : *scratch.whole;
  }
  // Whether an edge adds a fragment, so that its score includes the cost.
  bool adds_fragment(const Scratch& scratch, Index edge) const {
    return scratch.status == ParseStatus::kPartial &&
           partial_->fragments.adds_fragment(scratch.example.chart.edges[edge]);
  }
  // The cost of one more fragment exceeds every score.
  static constexpr double kJoining = 1e6;
  // Calls visit(label) for each label that an edge puts over the words of its head node, from the
  // top; for a word's edge, its tag.
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
  // For partial trees.
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
