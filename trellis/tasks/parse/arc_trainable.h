// The examples of a treebank for one filter and one numbering of features, and the scores of
// weights on held-out examples: the step between the files and learn().
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

// Everything that turns sentences into examples.
struct ExampleMaker {
  const TagNumbers& tags;
  const NameList& labels;
  const LabelSets& sets;
  const ArcFilter& filter;
  const FeatureNumbers& numbers;
  ModelShape shape;

  // With `keep_true`, true arcs are always candidates; without, only those that a parser keeps.
  std::vector<ArcExample> make(std::span<const Sentence> sentences, bool keep_true,
                               int threads) const;
};

// The words of held-out sentences that count, and their true arcs.
struct JudgedSentence {
  const ArcExample* example = nullptr;
  std::vector<std::uint8_t> counts;  // 0 for punctuation
  TrueArcs truth;
};

struct ArcTrainableOptions {
  ModelShape shape;
  // For training, if the order is 2.
  PairInference inference = PairInference::kRelaxed;
  InferenceLimits limits;
  DecodeOptions decoding;  // for held-out sentences
  std::uint64_t seed = 1;
  int threads = 0;
};

// `sentences` belong to `examples`, and likewise for the dev set, which may be empty. All must
// outlive the lesson.
struct ArcLesson {
  std::span<const Sentence> sentences;
  std::span<ArcExample> examples;
  std::span<const Sentence> dev_sentences;
  std::span<const ArcExample> dev_examples;
  const NameList& labels;
  ArcWeights weights;
};
// Adds to the examples what the inference requires.
std::unique_ptr<Trainable> make_trainable(const ArcLesson& lesson,
                                          const ArcTrainableOptions& options);

}  // namespace trellis::parse
