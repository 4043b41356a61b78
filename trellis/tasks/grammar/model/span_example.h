// A sentence as training has it: the forest of its trees, the true one among them, and the numbers
// of the features of all nodes and edges.
//
//   w = (weight of the generative grammar's score | that of the tagger's | weights of features)
//
// Numbers are local: the k-th of the distinct features of the sentence, so that a weight which many
// parts share is fetched once and a slope is written in the order of weights. Features that occur
// in no true tree have no weight.
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
  // What a tagger says of the edge of a word.
  struct TaggerScore {
    std::uint32_t edge = 0;
    float log_probability = 0;
  };

  ChartForest chart;
  std::vector<std::uint32_t> tags;      // of words, by the tagger, or by the coarse grammar
  std::vector<std::uint32_t> gold;      // edges in preorder; empty where the true tree is not there
  std::vector<float> generative;        // by edge: its logarithm in the generative grammar, scaled
  std::vector<TaggerScore> tagger;      // by edge of a word, ascending; empty without a tagger
  std::vector<std::uint32_t> features;  // ascending places in w
  NumberLists of_part;                  // by node, then by edge: local numbers of these
  std::vector<std::int32_t> costs;      // by edge (bracket_costs.h); empty without a true tree

  Index num_parts() const { return chart.forest.num_parts(); }
  Index bytes() const;
  void shrink();  // frees what it does not use
};

// The numbers of features that occur in true trees.
class SpanNumbers {
 public:
  // Places of the weights of scores; those of features come behind.
  static constexpr std::uint32_t kGenerative = 0, kTagger = 1, kScores = 2;

  void see(std::uint64_t fingerprint);
  void finish(Index min_count);
  Index dimension() const { return kScores + table_.size(); }
  // The place in w; 0 where there is none.
  std::uint32_t find(std::uint64_t fingerprint) const {
    const std::uint32_t number = table_.find(fingerprint);
    return number == FingerprintTable::kNone ? 0 : number + kScores;
  }
  std::vector<std::uint64_t> fingerprints() const { return table_.fingerprints(); }

 private:
  FingerprintTable table_;
  std::vector<std::uint32_t> counts_;
};

// Counts the features of a true tree: visits its steps as if they were parts of a chart. `tags` are
// as SpanExample has them.
void see_true_tree(const FeatureKeys& keys, std::span<const std::string> words,
                   std::span<const std::uint32_t> tags, const Derivation& truth,
                   SpanNumbers& numbers);

// Fills in what features a chart has; reuses its memory: one for each thread.
class SpanNumberer {
 public:
  // Both must outlive it.
  SpanNumberer(const FeatureKeys& keys, const SpanNumbers& numbers)
      : features_(keys), numbers_(&numbers), place_(numbers.dimension(), 0) {}

  void fill(const SpanAtoms& atoms, SpanExample& example);

 private:
  SpanFeatures features_;
  const SpanNumbers* numbers_;
  std::vector<std::uint32_t> place_;  // by place in w: 0, or 1 + the local number
};

}  // namespace trellis::grammar
