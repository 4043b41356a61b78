#include "trellis/tasks/grammar/model/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/formats/brackets/bracket_writer.h"

namespace trellis::grammar {
namespace {

// Maximum number of derivations in n_best: a constant, plus a number for each tree.
constexpr Index kMostDerivations = 1000, kMoreDerivations = 100;

}  // namespace

Parser::Partial::Partial(const GrammarModel& model, FragmentGrammar made)
    : fragments(std::move(made)),
      grammar(fragments.treebank, fragments.coarse, fragments.generative, model.grammar().words()),
      maker(grammar, model.filter()) {}

Parser::Parser(const GrammarModel& model, const ParserOptions& options)
    : model_(&model), options_(options), maker_(model.grammar(), model.filter()) {
  if (options.unparsed == Unparsed::kPartial) {
    const ParsingGrammar& grammar = model.grammar();
    partial_ = std::make_unique<Partial>(
        model, with_fragments(grammar.treebank(), grammar.coarse_rules(), grammar.generative()));
  }
}

const ParsingGrammar& Parser::grammar(const Scratch& scratch) const {
  return scratch.status == ParseStatus::kPartial ? partial_->grammar : model_->grammar();
}

const TagChoices* Parser::choose_tags(std::span<const std::string> words, Scratch& scratch) const {
  if (model_->tagger() == nullptr) return nullptr;
  model_->tagger()->choose(words, model_->filter().least_tag(), scratch.tagger, scratch.choices);
  return &scratch.choices;
}

// For the last sentence with tags from choose_tags().
std::vector<std::uint32_t> Parser::likeliest_tags(std::span<const std::string> words,
                                                  Scratch& scratch) const {
  if (model_->tagger() != nullptr) return maker_.tags(words, &scratch.choices, scratch.maker);
  const WordModel& model = model_->grammar().words();
  scratch.tag_weights.resize(model.num_tags());
  std::vector<std::uint32_t> tags;
  for (Index i = 0; i < words.size(); ++i) {
    model.weights(words[i], i == 0, scratch.tag_weights);
    for (Index t = 0; t < scratch.tag_weights.size(); ++t) {
      scratch.tag_weights[t] *= static_cast<double>(model.tag_counts()[t]);  // p(w | t) → p(t | w)
    }
    tags.push_back(static_cast<std::uint32_t>(std::ranges::max_element(scratch.tag_weights) -
                                              scratch.tag_weights.begin()));
  }
  return tags;
}

ConstituencyTree Parser::flat_tree(std::span<const std::string> words, Scratch& scratch) const {
  ConstituencyTree tree;
  const Index root = tree.open(std::string(kRootLabel));
  const Index all = tree.open(std::string(kFlatLabel));
  const NameList& tags = model_->grammar().treebank().tags();
  const std::vector<std::uint32_t> likeliest = likeliest_tags(words, scratch);
  for (Index i = 0; i < words.size(); ++i) {
    tree.add_word(std::string(tags[likeliest[i]]), words[i]);
  }
  tree.close(all);
  tree.close(root);
  return tree;
}

bool Parser::make_forest(std::span<const std::string> words, Scratch& scratch) const {
  if (words.empty() || words.size() > options_.max_words) {
    throw UsageError(fmt::format("expected a sentence of 1 to {} words (--max-words), found {}",
                                 options_.max_words, words.size()));
  }
  scratch.status = ParseStatus::kWhole;
  const TagChoices* tagger = choose_tags(words, scratch);
  if (!maker_.make(words, tagger, nullptr, scratch.maker, scratch.example)) {
    scratch.status = partial_ ? ParseStatus::kPartial : ParseStatus::kFlat;
    if (!partial_) return false;
    // Despite the filters, each word may be a fragment of its own.
    std::vector<std::uint32_t> tags = likeliest_tags(words, scratch);
    for (std::uint32_t& tag : tags) tag = partial_->grammar.tag_symbols()[tag];
    const Derivation words_alone = partial_->fragments.word_by_word(tags);
    partial_->maker.make(words, tagger, &words_alone, scratch.maker, scratch.example);
  }
  score_parts(words, scratch);
  return true;
}

void Parser::score_parts(std::span<const std::string> words, Scratch& scratch) const {
  if (scratch.features_of != this) {
    scratch.features_of = this;
    scratch.whole.emplace(model_->grammar().keys());
    if (partial_) scratch.partial.emplace(partial_->grammar.keys());
  }
  const bool partial = scratch.status == ParseStatus::kPartial;
  SpanFeatures& features = this->features(scratch);
  const SpanExample& example = scratch.example;
  const ChartForest& chart = example.chart;
  const Index nodes = chart.nodes.size();
  scratch.scores.assign(example.num_parts(), 0.0);
  double sum = 0;
  const WeightView& weights = model_->weights();
  const auto add = [&](std::uint64_t fingerprint) {
    if (weights.may_know(fingerprint)) sum += weights.weight(fingerprint);
  };
  const bool learned = !model_->is_generative();
  if (learned) {
    const ParsingGrammar& grammar = partial ? partial_->grammar : model_->grammar();
    scratch.atoms.assign(words, example.tags, grammar.keys());
    features.begin(scratch.atoms);
  }
  for (Index v = 0; v < nodes; ++v) {
    const ChartNode& node = chart.nodes[v];
    sum = 0;
    if (learned) features.each(node, add);
    scratch.scores[v] = sum;
    for (Index e = chart.forest.begin(v); e < chart.forest.end(v); ++e) {
      sum = model_->generative_weight() * static_cast<double>(example.generative[e]);
      if (learned) features.each(node, chart.edges[e], add);
      if (adds_fragment(scratch, e)) sum -= kJoining;
      scratch.scores[nodes + e] = sum;
    }
  }
  for (const auto& [edge, log_probability] : example.tagger) {
    scratch.scores[nodes + edge] += model_->tagger_weight() * static_cast<double>(log_probability);
  }
}

ConstituencyTree Parser::tree_of(std::span<const std::uint32_t> edges,
                                 std::span<const std::string> words, Scratch& scratch) const {
  const bool partial = scratch.status == ParseStatus::kPartial;
  const ChartMaker& maker = partial ? partial_->maker : maker_;
  maker.derivation_of(scratch.example.chart, edges, scratch.derivation);
  return maker.grammar().treebank().tree_of(scratch.derivation, {words.begin(), words.end()});
}

void Parser::finish(std::span<const std::string> words, double score, Scratch& scratch,
                    ParsedTree& tree) const {
  tree.tree = tree_of(scratch.output, words, scratch);
  const auto joined = std::ranges::count_if(
      scratch.output, [&](std::uint32_t e) { return adds_fragment(scratch, e); });
  tree.score = score + kJoining * static_cast<double>(joined);
  tree.status = scratch.status;
}

void Parser::parse(std::span<const std::string> words, Scratch& scratch, ParsedTree& tree) const {
  if (!make_forest(words, scratch)) {
    tree = {flat_tree(words, scratch), 0, ParseStatus::kFlat};
    return;
  }
  const ParseForest forest(scratch.example.chart.forest);
  const double best = forest.maximize(scratch.scores, scratch.forest, scratch.output);
  finish(words, best, scratch, tree);
}

double Parser::n_best(std::span<const std::string> words, Index k, Scratch& scratch,
                      std::vector<ParsedTree>& trees) const {
  trees.clear();
  if (!make_forest(words, scratch)) {
    trees.push_back({flat_tree(words, scratch), 0, ParseStatus::kFlat});
    return 0;
  }
  const PackedForest& forest = scratch.example.chart.forest;
  const double log_sum = ParseForest(forest).log_partition(scratch.scores, scratch.forest);
  KBestDerivations& derivations = scratch.forest.k_best;
  derivations.begin(forest, scratch.scores);
  std::unordered_set<std::string> known;
  double score = 0;
  std::string text;
  double joined = 0;
  for (Index asked = 0; trees.size() < k && asked < kMostDerivations + k * kMoreDerivations;
       ++asked) {
    if (!derivations.next(scratch.output, score)) break;
    ParsedTree tree;
    finish(words, score, scratch, tree);
    text.clear();
    append_brackets(tree.tree, text);
    if (!known.insert(text).second) continue;
    if (trees.empty()) joined = tree.score - score;
    // Trees with more than the minimum of fragments are not wanted.
    if (tree.score - score > joined + kJoining / 2) break;
    trees.push_back(std::move(tree));
  }
  return log_sum + joined;
}

void Parser::marginals(const ConstituencyTree& tree, Scratch& scratch,
                       std::vector<double>& probabilities) const {
  probabilities.clear();
  if (scratch.status == ParseStatus::kFlat) return;
  const ChartForest& chart = scratch.example.chart;
  const Index nodes = chart.nodes.size(), n = tree.num_words();
  scratch.marginals.resize(scratch.example.num_parts());
  ParseForest(chart.forest).log_partition(scratch.scores, scratch.forest, scratch.marginals);
  // A bracket of the tree: whether it is a tag, its label, its words.
  using Place = std::tuple<bool, std::string_view, std::uint32_t, std::uint32_t>;
  std::map<Place, double> sums;
  std::vector<std::uint8_t> asked((n + 1) * (n + 1), 0);
  const auto place_of = [](const ConstituencyTree::Node& node) {
    return Place{node.is_preterminal(), node.label, node.begin_word, node.end_word};
  };
  for (const ConstituencyTree::Node& node : tree.nodes) {
    sums[place_of(node)] = 0;
    asked[node.begin_word * (n + 1) + node.end_word] = 1;
  }
  for (Index v = 0; v < nodes; ++v) {
    const ChartNode& node = chart.nodes[v];
    if (asked[node.begin * (n + 1) + node.end] == 0) continue;
    for (Index e = chart.forest.begin(v); e < chart.forest.end(v); ++e) {
      const bool tag = chart.edges[e].kind == ChartEdge::Kind::kWord;
      each_label_of(scratch, node, chart.edges[e], [&](std::string_view label) {
        const auto at = sums.find(Place{tag, label, node.begin, node.end});
        if (at != sums.end()) at->second += scratch.marginals[nodes + e];
      });
    }
  }
  // A label may stand above itself, so its expected count may be above 1.
  for (const ConstituencyTree::Node& node : tree.nodes) {
    probabilities.push_back(std::clamp(sums[place_of(node)], 0.0, 1.0));
  }
}

}  // namespace trellis::grammar
