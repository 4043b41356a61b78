// The names of the features of a sentence's parts, in the order of the fingerprints of SpanFeatures
// (features/span_features.h): "NP: word behind with", "VP → VB NP: tags at the split VB DT".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

class FeatureNames {
 public:
  // `tags`: numbers of the words' tags, as used by features. All arguments must outlive the object.
  FeatureNames(const TreebankGrammar& grammar, std::span<const std::string> words,
               std::span<const std::uint32_t> tags)
      : grammar_(grammar), words_(words), tags_(tags) {}

  std::vector<std::string> of(const ChartNode& node) const;
  std::vector<std::string> of(const ChartNode& node, const ChartEdge& edge) const;

 private:
  using Place = std::ptrdiff_t;  // −1: before the first word; n: after the last

  std::string_view word(Place i) const;
  std::string_view tag(Place i) const;
  std::string coarse(Index symbol) const;
  // Features of tags come first.
  std::vector<std::string> of_span(Index i, Index j, Index count) const;
  std::vector<std::string> of_split(Index i, Index k, Index j) const;
  std::vector<std::string> of_word(Index i) const;

  const TreebankGrammar& grammar_;
  std::span<const std::string> words_;
  std::span<const std::uint32_t> tags_;
};

}  // namespace trellis::grammar
