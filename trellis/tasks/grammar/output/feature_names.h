// The features of a sentence's parts in words, in the order in which SpanFeatures
// (features/span_features.h) tells their fingerprints: "NP: word behind with", "VP → VB NP: tags at
// the split VB DT".
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
  // `tags`: numbers of the words' tags, as features see them. All must outlive it.
  FeatureNames(const TreebankGrammar& grammar, std::span<const std::string> words,
               std::span<const std::uint32_t> tags)
      : grammar_(grammar), words_(words), tags_(tags) {}

  std::vector<std::string> of(const ChartNode& node) const;
  std::vector<std::string> of(const ChartNode& node, const ChartEdge& edge) const;

 private:
  using Place = std::ptrdiff_t;  // −1 is before the first word, n behind the last

  std::string_view word(Place i) const;
  std::string_view tag(Place i) const;
  std::string coarse(Index symbol) const;
  // Those of tags first.
  std::vector<std::string> of_span(Index i, Index j, Index count) const;
  std::vector<std::string> of_split(Index i, Index k, Index j) const;
  std::vector<std::string> of_word(Index i) const;

  const TreebankGrammar& grammar_;
  std::span<const std::string> words_;
  std::span<const std::uint32_t> tags_;
};

}  // namespace trellis::grammar
