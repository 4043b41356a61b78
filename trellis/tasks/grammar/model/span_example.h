// A sentence in training: the forest of its trees, with the true one, and the numbers of the
// features of all nodes and edges.
//
//   w = (weight of the generative score | weight of the tagger's score | weights of features)
//
// Numbers are local: feature k is the k-th of the distinct features of the sentence, so that a
// weight shared by many parts is read once and a slope is written in the order of weights. Features
// that occur in no true tree have no weight.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/number_lists.h"
#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

struct SpanExample {
  // The tagger's score of the edge of a word.
  struct TaggerScore {
    std::uint32_t edge = 0;
    float log_probability = 0;
  };

  ChartForest chart;
  std::vector<std::uint32_t> tags;      // of words, by the tagger or the coarse grammar
  std::vector<std::uint32_t> gold;      // edges in preorder; empty if not in the chart
  std::vector<float> generative;        // by edge: scaled log of the generative grammar
  std::vector<TaggerScore> tagger;      // by edge of a word, ascending; empty without a tagger
  std::vector<std::uint32_t> features;  // ascending positions in w
  NumberLists of_part;                  // by node, then by edge: local numbers in `features`
  std::vector<std::int32_t> costs;      // by edge (bracket_costs.h); empty without a true tree

  Index num_parts() const { return chart.forest.num_parts(); }
  Index bytes() const;
  void shrink();  // frees unused memory
};

// The numbers of features that occur in true trees.
class SpanNumbers {
 public:
  // Positions of the weights of scores; weights of features follow.
  static constexpr std::uint32_t kGenerative = 0, kTagger = 1, kScores = 2;

  void see(std::uint64_t fingerprint);
  void finish(Index min_count);
  Index dimension() const { return kScores + table_.size(); }
  // The position in w; 0 for an unknown feature.
  std::uint32_t find(std::uint64_t fingerprint) const {
    const std::uint32_t number = table_.find(fingerprint);
    return number == FingerprintTable::kNone ? 0 : number + kScores;
  }
  std::vector<std::uint64_t> fingerprints() const { return table_.fingerprints(); }

 private:
  FingerprintTable table_;
  std::vector<std::uint32_t> counts_;
};

// Counts the features of a true tree: visits its steps as parts of a chart. `tags` are those of
// SpanExample.
void see_true_tree(const FeatureKeys& keys, std::span<const std::string> words,
                   std::span<const std::uint32_t> tags, const Derivation& truth,
                   SpanNumbers& numbers);

// Fills in the features of a chart; reuses its memory: one for each thread.
class SpanNumberer {
 public:
  // Both must outlive the object.
  SpanNumberer(const FeatureKeys& keys, const SpanNumbers& numbers)
      : features_(keys), numbers_(&numbers), place_(numbers.dimension(), 0) {}

  void fill(const SpanAtoms& atoms, SpanExample& example);

 private:
  SpanFeatures features_;
  const SpanNumbers* numbers_;
  std::vector<std::uint32_t> place_;  // by position in w: 0, or 1 + local number
};

}  // namespace trellis::grammar
