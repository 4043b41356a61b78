#include "trellis/tasks/grammar/output/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/formats/brackets/bracket_writer.h"
#include "trellis/tasks/grammar/output/feature_names.h"
#include "trellis/tasks/grammar/output/rule_text.h"

namespace trellis::grammar {
namespace {

// More than the score of any tree, including fragments.
constexpr double kForced = 1e9;

bool has_bracket(const ConstituencyTree& tree, const Bracket& bracket) {
  return std::ranges::any_of(tree.nodes, [&](const ConstituencyTree::Node& node) {
    return !node.is_preterminal() && node.label == bracket.label &&
           node.begin_word == bracket.begin && node.end_word == bracket.end;
  });
}

// The parts in which two trees of one chart differ.
class PartDifference {
 public:
  PartDifference(const Parser& parser, std::span<const std::string> words, Parser::Scratch& scratch)
      : parser_(parser),
        scratch_(scratch),
        chart_(scratch.example.chart),
        names_(parser.grammar(scratch).treebank(), words, scratch.example.tags) {}

  // Parts in `edges` that are not in `others`, largest absolute score first.
  std::vector<PartContribution> parts(std::span<const std::uint32_t> edges,
                                      std::span<const std::uint32_t> others) const {
    std::vector<std::uint8_t> there(chart_.forest.num_parts(), 0);
    const Index nodes = chart_.nodes.size();
    for (const std::uint32_t e : others) there[chart_.forest.head(e)] = there[nodes + e] = 1;
    std::vector<PartContribution> list;
    const auto add = [&](PartContribution one) {
      if (one.features != 0 || one.generative != 0 || one.tagger != 0)
        list.push_back(std::move(one));
    };
    for (const std::uint32_t e : edges) {
      const Index v = chart_.forest.head(e);
      const ChartNode& node = chart_.nodes[v];
      if (there[v] == 0) add({node_text(node), scratch_.scores[v], 0, 0, weights_of(node)});
      if (there[nodes + e] != 0) continue;
      const double generative =
          parser_.model().generative_weight() * static_cast<double>(scratch_.example.generative[e]);
      const double joined = parser_.adds_fragment(scratch_, e) ? Parser::kJoining : 0;
      const double tagger = tagger_score(e);
      const double features = scratch_.scores[nodes + e] + joined - generative - tagger;
      // The remainder of a difference of large numbers is not a score of features.
      add({edge_text(node, e), joined > 0 ? 0 : features, generative, tagger,
           weights_of(node, chart_.edges[e])});
    }
    std::ranges::stable_sort(list, [](const PartContribution& a, const PartContribution& b) {
      return std::abs(a.sum()) > std::abs(b.sum());
    });
    return list;
  }

 private:
  // The weights of a node, or of a node and an edge into it.
  template <class... Part>
  std::vector<FeatureWeight> weights_of(const Part&... part) const {
    std::vector<FeatureWeight> list;
    const WeightView& weights = parser_.model().weights();
    if (parser_.model().is_generative()) return list;
    const std::vector<std::string> names = names_.of(part...);
    Index place = 0;
    parser_.features(scratch_).each(part..., [&](std::uint64_t fingerprint) {
      const std::string& name = names[place++];
      const double weight = weights.weight(fingerprint);
      if (weight == 0) return;
      // Without ancestors, fine features have the names of coarse ones.
      const auto same = std::ranges::find(list, name, &FeatureWeight::feature);
      if (same == list.end()) {
        list.push_back({name, weight});
      } else {
        same->weight += weight;
      }
    });
    std::ranges::stable_sort(list, [](const FeatureWeight& a, const FeatureWeight& b) {
      return std::abs(a.weight) > std::abs(b.weight);
    });
    return list;
  }

  double tagger_score(std::uint32_t e) const {
    const auto& scores = scratch_.example.tagger;
    const auto at = std::ranges::find(scores, e, &SpanExample::TaggerScore::edge);
    if (at == scores.end()) return 0;
    return parser_.model().tagger_weight() * static_cast<double>(at->log_probability);
  }

  const TreebankGrammar& treebank() const { return parser_.grammar(scratch_).treebank(); }

  std::string node_text(const ChartNode& node) const {
    return fmt::format("{} over {}-{}", symbol_text(treebank(), node.symbol), node.begin, node.end);
  }
  std::string edge_text(const ChartNode& node, Index e) const {
    const ChartEdge& edge = chart_.edges[e];
    const std::string symbol = symbol_text(treebank(), node.symbol);
    switch (edge.kind) {
      case ChartEdge::Kind::kWord:
        return fmt::format("{} as the tag of word {}", symbol, node.begin);
      case ChartEdge::Kind::kBinary:
        return fmt::format("{} at {}-{}-{}", binary_rule_text(treebank(), edge.rule), node.begin,
                           edge.split, node.end);
      case ChartEdge::Kind::kChain:
        return fmt::format("{} over {}-{}", chain_text(treebank(), edge.rule), node.begin,
                           node.end);
      default:
        return fmt::format("{} over {}-{} unchanged", symbol, node.begin, node.end);
    }
  }

  const Parser& parser_;
  Parser::Scratch& scratch_;
  const ChartForest& chart_;
  FeatureNames names_;
};

std::pair<std::uint32_t, std::uint32_t> parse_span(const std::string& text, Index words) {
  std::uint32_t begin = 0, end = 0;
  const char* last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, begin);
  if (first.ec == std::errc() && first.ptr != last && *first.ptr == '-') {
    const auto second = std::from_chars(first.ptr + 1, last, end);
    if (second.ec == std::errc() && second.ptr == last && begin < end && end <= words) {
      return {begin, end};
    }
  }
  throw UsageError(fmt::format(
      "expected a span of the sentence's {} words such as 0-{}, found '{}'", words, words, text));
}

Value list_of(const std::vector<PartContribution>& parts) {
  Value list = Value::list();
  for (const PartContribution& one : parts) {
    Value weights = Value::list();
    for (const FeatureWeight& weight : one.weights) {
      weights.push_back(Value::record({{"feature", weight.feature}, {"weight", weight.weight}}));
    }
    list.push_back(Value::record({{"part", one.part},
                                  {"features", one.features},
                                  {"generative", one.generative},
                                  {"tagger", one.tagger},
                                  {"weights", std::move(weights)}}));
  }
  return list;
}

// The components of a part's score, if there are several.
std::string shares_text(const PartContribution& one) {
  std::string text;
  Index shares = 0;
  const auto add = [&](const char* what, double share) {
    if (share == 0) return;
    ++shares;
    text += fmt::format("{}{} {:+.4f}", text.empty() ? " (" : ", ", what, share);
  };
  add("features", one.features);
  add("generative grammar", one.generative);
  add("tagger", one.tagger);
  return shares > 1 ? text + ')' : std::string();
}

std::string parts_text(const std::vector<PartContribution>& parts, Index top) {
  std::string text;
  double rest = 0;
  for (Index k = 0; k < parts.size(); ++k) {
    const PartContribution& one = parts[k];
    if (k >= top) {
      rest += one.sum();
      continue;
    }
    text += fmt::format("    {:+9.4f}  {}{}\n", one.sum(), one.part, shares_text(one));
    for (Index f = 0; f < std::min(top, one.weights.size()); ++f) {
      text += fmt::format("       {:+9.4f}  {}\n", one.weights[f].weight, one.weights[f].feature);
    }
  }
  if (parts.size() > top) {
    text += fmt::format("    {:+9.4f}  {} others\n", rest, parts.size() - top);
  }
  return text;
}

std::string tree_text(const ConstituencyTree& tree) {
  std::string text;
  append_brackets(tree, text);
  return text;
}

std::string describe(const BracketExplanation& why, std::span<const std::string> words,
                     const ExplainOptions& options) {
  const Bracket& bracket = why.bracket;
  if (options.json) {
    Value record = Value::record({{"label", bracket.label},
                                  {"begin", bracket.begin},
                                  {"end", bracket.end},
                                  {"in_best", why.in_best},
                                  {"probability", why.probability},
                                  {"score", why.score}});
    if (why.other) {
      record["other"] = Value::record({{"tree", tree_text(why.other->tree)},
                                       {"score", why.other->score},
                                       {"best_parts", list_of(why.other->best_parts)},
                                       {"other_parts", list_of(why.other->other_parts)}});
    }
    return to_json(record) + "\n";
  }
  std::string text = fmt::format("{} {}-{}", bracket.label, bracket.begin, bracket.end);
  for (Index i = bracket.begin; i < bracket.end; ++i) text += " " + words[i];
  text += fmt::format("\n  {} the best tree (score {:.4f}), probability {:.4f}\n",
                      why.in_best ? "in" : "not in", why.score, why.probability);
  if (!why.other) {
    return text + fmt::format("  there is no tree {} it\n\n", why.in_best ? "without" : "with");
  }
  text += parts_text(why.other->best_parts, options.top);
  text +=
      fmt::format("  instead of {} (score {:.4f})\n", tree_text(why.other->tree), why.other->score);
  return text + parts_text(why.other->other_parts, options.top) + "\n";
}

}  // namespace

BracketExplanation explain(const Parser& parser, std::span<const std::string> words,
                           const Bracket& bracket, Parser::Scratch& scratch) {
  if (bracket.begin >= bracket.end || bracket.end > words.size()) {
    throw UsageError(
        fmt::format("{}-{} is not a span of {} words", bracket.begin, bracket.end, words.size()));
  }
  ParsedTree best;
  parser.parse(words, scratch, best);
  BracketExplanation why;
  why.bracket = bracket;
  why.score = best.score;
  why.in_best = has_bracket(best.tree, bracket);
  if (best.status == ParseStatus::kFlat) return why;
  const std::vector<std::uint32_t> edges = scratch.output;
  const ChartForest& chart = scratch.example.chart;
  const Index nodes = chart.nodes.size();
  scratch.marginals.resize(scratch.example.num_parts());
  const ParseForest forest(chart.forest);
  forest.log_partition(scratch.scores, scratch.forest, scratch.marginals);
  // Trees with the bracket (or those without it) lose against all others.
  std::vector<double> forced = scratch.scores;
  for (Index v = 0; v < nodes; ++v) {
    const ChartNode& node = chart.nodes[v];
    if (node.begin != bracket.begin || node.end != bracket.end) continue;
    for (Index e = chart.forest.begin(v); e < chart.forest.end(v); ++e) {
      if (chart.edges[e].kind == ChartEdge::Kind::kWord) continue;
      bool has = false;
      parser.each_label_of(scratch, node, chart.edges[e],
                           [&](std::string_view label) { has = has || label == bracket.label; });
      if (!has) continue;
      why.probability += scratch.marginals[nodes + e];
      forced[nodes + e] += why.in_best ? -kForced : kForced;
    }
  }
  why.probability = std::clamp(why.probability, 0.0, 1.0);
  forest.maximize(forced, scratch.forest, scratch.output);
  BracketExplanation::Other other;
  other.tree = parser.tree_of(scratch.output, words, scratch);
  if (has_bracket(other.tree, bracket) == why.in_best) return why;
  const PartDifference difference(parser, words, scratch);
  other.best_parts = difference.parts(edges, scratch.output);
  other.other_parts = difference.parts(scratch.output, edges);
  other.score = why.score;
  for (const PartContribution& part : other.best_parts) other.score -= part.sum();
  for (const PartContribution& part : other.other_parts) other.score += part.sum();
  why.other = std::move(other);
  return why;
}

std::string explain(const GrammarModel& model, InputFile file, const ExplainOptions& options) {
  SentenceOptions reading;
  reading.format = options.format;
  SentenceReader reader(std::move(file), reading);
  if (!options.label.empty() && options.span.empty()) {
    throw UsageError("--label requires --span");
  }
  Sentence sentence;
  for (Index i = 1; reader.read(sentence); ++i) {
    if (i != options.sentence) continue;
    const std::vector<std::string>& words = sentence.words;
    const Parser parser(model, options.parser);
    Parser::Scratch scratch;
    ParsedTree best;
    at_line(reader.name(), sentence.line, [&] { parser.parse(words, scratch, best); });
    std::vector<Bracket> brackets;
    std::pair<std::uint32_t, std::uint32_t> span;
    if (!options.span.empty()) span = parse_span(options.span, words.size());
    if (!options.label.empty()) {
      brackets.push_back({options.label, span.first, span.second});
    } else {
      for (const ConstituencyTree::Node& node : best.tree.nodes) {
        const bool asked =
            options.span.empty() || (node.begin_word == span.first && node.end_word == span.second);
        const Bracket bracket{node.label, node.begin_word, node.end_word};
        if (!node.is_preterminal() && node.label != kRootLabel && asked &&
            std::ranges::find(brackets, bracket) == brackets.end()) {
          brackets.push_back(bracket);
        }
      }
    }
    if (brackets.empty()) {
      throw UsageError(
          fmt::format("the best tree has no bracket over {}: give --label to compare it with the "
                      "best tree that has one",
                      options.span.empty() ? "the sentence" : options.span));
    }
    std::string text;
    for (const Bracket& bracket : brackets) {
      text += describe(explain(parser, words, bracket, scratch), words, options);
    }
    return text;
  }
  throw InputError(reader.name(), 0, fmt::format("there is no sentence {}", options.sentence));
}

}  // namespace trellis::grammar
