#include "trellis/tasks/grammar/output/feature_names.h"

#include <fmt/format.h>

#include "trellis/generative/grammar/word_model.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/output/rule_text.h"

namespace trellis::grammar {
namespace {

constexpr std::string_view kBorderText = "(border)";
constexpr Index kTagNames = 11, kSpanNames = 21;
constexpr Index kSpelledOut = 4;  // longest span described by all its tags

void append_with(const std::string& key, const std::vector<std::string>& names,
                 std::vector<std::string>& list) {
  for (const std::string& name : names) list.push_back(fmt::format("{}: {}", key, name));
}

}  // namespace

std::string_view FeatureNames::word(Place i) const {
  const auto n = static_cast<Place>(words_.size());
  return i < 0 || i >= n ? kBorderText : std::string_view(words_[static_cast<Index>(i)]);
}

std::string_view FeatureNames::tag(Place i) const {
  const auto n = static_cast<Place>(words_.size());
  return i < 0 || i >= n ? kBorderText : grammar_.tags()[tags_[static_cast<Index>(i)]];
}

std::string FeatureNames::coarse(Index symbol) const {
  const Symbol& one = grammar_.symbol(symbol);
  return std::string(one.kind == SymbolKind::kTag ? grammar_.tags()[one.label]
                                                  : grammar_.coarse_names()[one.coarse]);
}

std::vector<std::string> FeatureNames::of_span(Index i, Index j, Index count) const {
  const auto first = static_cast<Place>(i), last = static_cast<Place>(j) - 1;
  const auto w = [&](Place place) { return word(place); };
  const auto t = [&](Place place) { return tag(place); };
  std::string shape;
  if (j - i <= kSpelledOut) {
    for (Place k = first; k <= last; ++k) shape += fmt::format(" {}", t(k));
  }
  std::vector<std::string> names = {
      fmt::format("length about {}", j - i),
      fmt::format("first tag {}", t(first)),
      fmt::format("last tag {}", t(last)),
      fmt::format("tag before {}", t(first - 1)),
      fmt::format("tag behind {}", t(last + 1)),
      fmt::format("tags before and first {} {}", t(first - 1), t(first)),
      fmt::format("tags last and behind {} {}", t(last), t(last + 1)),
      fmt::format("tags first and last {} {}", t(first), t(last)),
      fmt::format("tags before and behind {} {}", t(first - 1), t(last + 1)),
      fmt::format("tags at the borders {} {} {} {}", t(first - 1), t(first), t(last), t(last + 1)),
      shape.empty() ? fmt::format("length, about {}", j - i) : "all tags" + shape,
      fmt::format("first word {}", w(first)),
      fmt::format("last word {}", w(last)),
      fmt::format("word before {}", w(first - 1)),
      fmt::format("word behind {}", w(last + 1)),
      fmt::format("first word {}, length about {}", w(first), j - i),
      fmt::format("words last and behind {} {}", w(last), w(last + 1)),
      fmt::format("words before and first {} {}", w(first - 1), w(first)),
      fmt::format("word before {}, first tag {}", w(first - 1), t(first)),
      fmt::format("last tag {}, word behind {}", t(last), w(last + 1)),
      fmt::format("words first and last {} {}", w(first), w(last)),
  };
  names.resize(count);
  return names;
}

std::vector<std::string> FeatureNames::of_split(Index i, Index k, Index j) const {
  const auto left = static_cast<Place>(k) - 1, right = static_cast<Place>(k);
  const auto first = static_cast<Place>(i), last = static_cast<Place>(j) - 1;
  return {
      fmt::format("tags at the split {} {}", tag(left), tag(right)),
      fmt::format("word before the split {}", word(left)),
      fmt::format("word behind the split {}", word(right)),
      fmt::format("at the split word {}, tag {}", word(left), tag(right)),
      fmt::format("at the split tag {}, word {}", tag(left), word(right)),
      fmt::format("first tag {}, tag behind the split {}", tag(first), tag(right)),
      fmt::format("tag before the split {}, last tag {}", tag(left), tag(last)),
      fmt::format("left of the split about {} words", k - i),
      fmt::format("right of the split about {} words", j - k),
      fmt::format("first word {}, word behind the split {}", word(first), word(right)),
  };
}

std::vector<std::string> FeatureNames::of_word(Index i) const {
  const auto at = static_cast<Place>(i);
  std::vector<std::string> names = {
      fmt::format("word {}", word(at)),
      fmt::format("coarse grammar's tag {}", tag(at)),
      fmt::format("words {} {}", word(at - 1), word(at)),
      fmt::format("words {} {} (next)", word(at), word(at + 1)),
      fmt::format("tags {} {}", tag(at - 1), tag(at)),
      fmt::format("tags {} {} (next)", tag(at), tag(at + 1)),
      fmt::format("word before {}", word(at - 1)),
      fmt::format("word behind {}", word(at + 1)),
  };
  std::string name;
  for (Index level = 1; level <= SpanAtoms::kClasses; ++level) {
    word_class(words_[i], level, name);
    names.push_back(fmt::format("class {} '{}'", level, name));
  }
  return names;
}

std::vector<std::string> FeatureNames::of(const ChartNode& node) const {
  std::vector<std::string> names;
  if (node.above || node.end - node.begin < 2) return names;
  append_with(coarse(node.symbol), of_span(node.begin, node.end, kSpanNames), names);
  append_with(symbol_text(grammar_, node.symbol), of_span(node.begin, node.end, kTagNames), names);
  return names;
}

std::vector<std::string> FeatureNames::of(const ChartNode& node, const ChartEdge& edge) const {
  std::vector<std::string> names;
  switch (edge.kind) {
    case ChartEdge::Kind::kWord:
      append_with(symbol_text(grammar_, node.symbol), of_word(node.begin), names);
      break;
    case ChartEdge::Kind::kBinary: {
      const BinaryTreebankRule& rule = grammar_.binary()[edge.rule];
      const std::string key =
          coarse(rule.parent) + " → " + coarse(rule.left) + " " + coarse(rule.right);
      names.push_back(binary_rule_text(grammar_, edge.rule));
      append_with(key, of_split(node.begin, edge.split, node.end), names);
      append_with(key, of_span(node.begin, node.end, kSpanNames), names);
      break;
    }
    case ChartEdge::Kind::kChain: {
      const std::string key = chain_text(grammar_, edge.rule);
      names.push_back(key);
      append_with(key, of_span(node.begin, node.end, kSpanNames), names);
      break;
    }
    case ChartEdge::Kind::kPass:
      break;
  }
  return names;
}

}  // namespace trellis::grammar
