#include "trellis/tasks/grammar/model/chart_maker.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/grammar/model/bracket_costs.h"

namespace trellis::grammar {
namespace {

constexpr double kUnlikely = -20;  // the least logarithm of a word or a rule

// Finds nodes by symbol and span.
class NodeFinder {
 public:
  explicit NodeFinder(const ChartForest& chart) {
    for (Index v = 0; v < chart.nodes.size(); ++v) {
      const ChartNode& node = chart.nodes[v];
      nodes_.emplace(key(node.symbol, node.begin, node.end, node.above), v);
    }
  }
  // kNone if there is no such node.
  Index find(const DerivationStep& step, bool above) const {
    const auto at = nodes_.find(key(step.symbol, step.begin, step.end, above));
    return at == nodes_.end() ? kNone : at->second;
  }
  static constexpr Index kNone = ~Index{0};

 private:
  static std::uint64_t key(std::uint64_t symbol, std::uint64_t begin, std::uint64_t end,
                           bool above) {
    return ((symbol << 16 | begin) << 16 | end) << 1 | (above ? 1 : 0);
  }
  std::unordered_map<std::uint64_t, Index> nodes_;
};

ChartEdge::Kind kind_of(DerivationStep::Kind kind) {
  switch (kind) {
    case DerivationStep::Kind::kWord:
      return ChartEdge::Kind::kWord;
    case DerivationStep::Kind::kBinary:
      return ChartEdge::Kind::kBinary;
    default:
      return ChartEdge::Kind::kChain;
  }
}

}  // namespace

ChartMaker::ChartMaker(const ParsingGrammar& grammar, const FilterOptions& options)
    : grammar_(&grammar),
      options_(options),
      filter_(grammar.coarse(), grammar.words(), grammar.coarse_tag_symbols(), options) {}

// Lists the possible tags of each word.
void ChartMaker::list_tags(Index words, const Derivation* truth, Scratch& scratch) const {
  const Index num_tags = grammar_->words().num_tags();
  scratch.tags.resize(words);
  for (Index i = 0; i < words; ++i) {
    scratch.tags[i].clear();
    for (Index t = 0; t < num_tags; ++t) {
      if (scratch.filter.tag_weights[i * num_tags + t] > 0) {
        scratch.tags[i].push_back(grammar_->tag_symbols()[t]);
      }
    }
  }
  if (truth == nullptr) return;
  for (const DerivationStep& step : truth->steps) {
    if (step.kind != DerivationStep::Kind::kWord) continue;
    std::vector<std::uint32_t>& tags = scratch.tags[step.begin];
    if (std::ranges::find(tags, step.symbol) == tags.end()) tags.push_back(step.symbol);
  }
}

void ChartMaker::score(const ChartForest& chart, const Scratch& scratch,
                       std::vector<double>& scores) const {
  const TreebankGrammar& treebank = grammar_->treebank();
  const Index nodes = chart.nodes.size(), num_tags = grammar_->words().num_tags();
  scores.assign(chart.forest.num_parts(), 0.0);
  for (Index v = 0; v < nodes; ++v) {
    const ChartNode& node = chart.nodes[v];
    for (Index e = chart.forest.begin(v); e < chart.forest.end(v); ++e) {
      double score = grammar_->generative().of(node, chart.edges[e]);
      if (chart.edges[e].kind == ChartEdge::Kind::kWord) {
        const double weight =
            scratch.filter.tag_weights[node.begin * num_tags + treebank.symbol(node.symbol).label];
        score = weight > 0 ? portable_log(weight) : kUnlikely;
      }
      scores[nodes + e] = std::max(score, kUnlikely);
    }
  }
}

// Keeps edges with a sufficient expected count, and those of the best tree.
void ChartMaker::keep_expected(Scratch& scratch) const {
  const ParseForest forest(scratch.whole.forest);
  const Index nodes = scratch.whole.nodes.size(), edges = scratch.whole.edges.size();
  scratch.expected.resize(forest.num_parts());
  forest.log_partition(scratch.scores, scratch.forest, scratch.expected);
  forest.maximize(scratch.scores, scratch.forest, scratch.best);
  scratch.keep.resize(edges);
  for (Index e = 0; e < edges; ++e) {
    scratch.keep[e] = scratch.expected[nodes + e] >= options_.prune_rules_below ? 1 : 0;
  }
  for (const std::uint32_t e : scratch.best) scratch.keep[e] = 1;
}

// Words have two scores: one of the generative grammar, one of the tagger.
void ChartMaker::add_word_scores(std::span<const std::string> words, const TagChoices& tagger,
                                 SpanExample& example) const {
  const ChartForest& chart = example.chart;
  std::vector<double> weights(grammar_->words().num_tags());
  Index weighed = words.size();  // the word of `weights`
  for (std::uint32_t e = 0; e < chart.edges.size(); ++e) {
    if (chart.edges[e].kind != ChartEdge::Kind::kWord) continue;
    const ChartNode& node = chart.nodes[chart.forest.head(e)];
    const std::uint32_t tag = grammar_->treebank().symbol(node.symbol).label;
    if (weighed != node.begin) {
      grammar_->words().weights(words[node.begin], node.begin == 0, weights);
      weighed = node.begin;
    }
    const double log = weights[tag] > 0 ? portable_log(weights[tag]) : kUnlikely;
    example.generative[e] = static_cast<float>(std::max(log, kUnlikely));
    example.tagger.push_back({e, tagger.log_probability(node.begin, tag)});
  }
}

bool ChartMaker::make(std::span<const std::string> words, const TagChoices* tagger,
                      const Derivation* truth, Scratch& scratch, SpanExample& example) const {
  const TreebankGrammar& treebank = grammar_->treebank();
  if (truth != nullptr && !truth->complete) truth = nullptr;
  example.gold.clear();
  example.costs.clear();
  example.tagger.clear();
  example.chart.clear();
  filter_.keep(words, tagger, scratch.filter, scratch.kept);
  example.tags = scratch.filter.best_tags;
  if (truth != nullptr) {
    for (const DerivationStep& step : truth->steps) {
      scratch.kept.keep(step.begin, step.end, treebank.symbol(step.symbol).coarse);
    }
  }
  list_tags(words.size(), truth, scratch);
  ChartForest& whole = options_.prune ? scratch.whole : example.chart;
  scratch.builder.build(grammar_->rules(), scratch.tags, scratch.kept, whole);
  if (whole.nodes.empty()) return false;
  score(whole, scratch, scratch.scores);
  if (options_.prune) {
    keep_expected(scratch);
    if (truth != nullptr) {
      for (const std::uint32_t e : edges_of(whole, grammar_->rules(), *truth)) scratch.keep[e] = 1;
    }
    scratch.builder.keep_edges(whole, scratch.keep, example.chart);
    score(example.chart, scratch, scratch.scores);
  }
  example.generative.clear();
  for (const double score : std::span(scratch.scores).subspan(example.chart.nodes.size())) {
    example.generative.push_back(static_cast<float>(score));
  }
  if (tagger != nullptr) add_word_scores(words, *tagger, example);
  if (truth != nullptr) {
    example.gold = edges_of(example.chart, grammar_->rules(), *truth);
    bracket_costs(treebank, example.chart, *truth, example.costs);
  }
  return true;
}

std::vector<std::uint32_t> ChartMaker::tags(std::span<const std::string> words,
                                            const TagChoices* tagger, Scratch& scratch) const {
  if (tagger == nullptr) {
    filter_.keep(words, nullptr, scratch.filter, scratch.kept);
    return scratch.filter.best_tags;
  }
  std::vector<std::uint32_t> best(words.size());
  for (Index i = 0; i < words.size(); ++i) best[i] = tagger->best(i);
  return best;
}

void ChartMaker::derivation_of(const ChartForest& chart, std::span<const std::uint32_t> edges,
                               Derivation& derivation) const {
  derivation.steps.clear();
  derivation.complete = true;
  std::unordered_map<Index, std::uint32_t> made;  // step of each node
  for (Index k = edges.size(); k-- > 0;) {
    const Index head = chart.forest.head(edges[k]);
    const PackedForest::Tails tails = chart.forest.tails(edges[k]);
    const ChartNode& node = chart.nodes[head];
    const ChartEdge& edge = chart.edges[edges[k]];
    if (edge.kind == ChartEdge::Kind::kPass) {
      made[head] = made.at(tails.left);
      continue;
    }
    DerivationStep step;
    step.symbol = node.symbol;
    step.begin = node.begin;
    step.end = node.end;
    step.rule = edge.rule;
    if (edge.kind != ChartEdge::Kind::kWord) {
      const bool binary = edge.kind == ChartEdge::Kind::kBinary;
      step.kind = binary ? DerivationStep::Kind::kBinary : DerivationStep::Kind::kChain;
      step.first = made.at(tails.left);
      step.second = binary ? made.at(tails.right) : step.first;
    }
    made[head] = static_cast<std::uint32_t>(derivation.steps.size());
    derivation.steps.push_back(step);
  }
}

std::vector<std::uint32_t> edges_of(const ChartForest& chart, const GrammarRules& rules,
                                    const Derivation& derivation) {
  const NodeFinder finder(chart);
  std::vector<std::uint32_t> edges;
  const auto add = [&](Index node, ChartEdge::Kind kind, std::uint32_t rule, std::uint32_t split) {
    for (Index e = chart.forest.begin(node); e < chart.forest.end(node); ++e) {
      const ChartEdge& edge = chart.edges[e];
      if (edge.kind == kind && edge.rule == rule && edge.split == split) {
        edges.push_back(static_cast<std::uint32_t>(e));
        return true;
      }
    }
    return false;
  };
  // From the root: a step, and whether it is below a chain.
  std::vector<std::pair<std::uint32_t, bool>> pending{
      {static_cast<std::uint32_t>(derivation.steps.size() - 1), false}};
  while (!pending.empty()) {
    const auto [at, below_chain] = pending.back();
    pending.pop_back();
    const DerivationStep& step = derivation.steps[at];
    const bool chain = step.kind == DerivationStep::Kind::kChain;
    const bool passes = !chain && !below_chain && rules.tops_chains(step.symbol);
    if (passes) {
      const Index above = finder.find(step, true);
      if (above == NodeFinder::kNone || !add(above, ChartEdge::Kind::kPass, 0, 0)) return {};
    }
    const Index node = finder.find(step, chain);
    if (node == NodeFinder::kNone) return {};
    const bool binary = step.kind == DerivationStep::Kind::kBinary;
    const std::uint32_t split = binary ? derivation.steps[step.first].end : 0;
    if (!add(node, kind_of(step.kind), step.rule, split)) return {};
    if (binary) pending.emplace_back(step.second, false);
    if (step.kind != DerivationStep::Kind::kWord) pending.emplace_back(step.first, chain);
  }
  return edges;
}

}  // namespace trellis::grammar
