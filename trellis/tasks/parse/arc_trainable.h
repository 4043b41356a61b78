// The examples of a treebank under one filter and one numbering of features, and how good weights
// are on held-out ones: what is between the files and learn().
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/parse/filter/arc_filter.h"
#include "trellis/tasks/parse/model/arc_example.h"
#include "trellis/tasks/parse/model/arc_model.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/label_sets.h"
#include "trellis/tasks/parse/model/tree_decoder.h"
#include "trellis/tasks/parse/treebank_data.h"

namespace trellis::parse {

// All that sentences are turned into examples by.
struct ExampleMaker {
  const TagNumbers& tags;
  const NameList& labels;
  const LabelSets& sets;
  const ArcFilter& filter;
  const FeatureNumbers& numbers;
  ModelShape shape;

  // With their true arcs among the candidates, or as a parser sees them.
  std::vector<ArcExample> make(std::span<const Sentence> sentences, bool keep_true,
                               int threads) const;
};

// Words of held-out sentences that count, and their true arcs.
struct JudgedSentence {
  const ArcExample* example = nullptr;
  std::vector<std::uint8_t> counts;  // punctuation does not
  TrueArcs truth;
};

struct ArcTrainableOptions {
  ModelShape shape;
  // Of learning, where the order is 2.
  PairInference inference = PairInference::kRelaxed;
  InferenceLimits limits;
  DecodeOptions decoding;  // of held-out sentences
  std::uint64_t seed = 1;
  int threads = 0;
};

// `sentences` and `examples` belong together, as do those of the dev set, which may be none. All
// must outlive it.
struct ArcLesson {
  std::span<const Sentence> sentences;
  std::span<ArcExample> examples;
  std::span<const Sentence> dev_sentences;
  std::span<const ArcExample> dev_examples;
  const NameList& labels;
  ArcWeights weights;
};
// Adds to the examples what the inference asks for.
std::unique_ptr<Trainable> make_trainable(const ArcLesson& lesson,
                                          const ArcTrainableOptions& options);

}  // namespace trellis::parse
