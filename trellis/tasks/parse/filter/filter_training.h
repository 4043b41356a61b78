// Trains the filter, before the parser: for each stage an arc-factored model with few features,
// with sums over all trees (matrix-tree theorem), by one of the learners of learn/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/filter/arc_filter.h"

namespace trellis::parse {

const TaskDefaults& filter_defaults();

struct FilterTraining {
  TreeShape shape;
  bool second_look = false;
  std::uint64_t seed = 1;
  int threads = 0;
  std::stop_token stop;
};

struct TrainedFilter {
  std::vector<float> tags, words;  // by FilterStage

  FilterWeights weights() const { return {tags, words}; }
  bool operator==(const TrainedFilter&) const = default;
};

// Empty if stopped.
std::optional<TrainedFilter> train_filter(std::span<const Sentence> sentences,
                                          const TagNumbers& tags, const FilterTraining& training);

// What a filter keeps of sentences with known heads.
struct FilterRecall {
  Index words = 0;
  Index kept = 0;  // words whose true head stays
  Index arcs = 0;

  // In percent; 100 if there are no words.
  double recall() const { return percent(kept, words, 100); }
  double heads_per_word() const {
    return words == 0 ? 0 : static_cast<double>(arcs) / static_cast<double>(words);
  }
};
FilterRecall filter_recall(const ArcFilter& filter, std::span<const Sentence> sentences,
                           const TagNumbers& tags);

}  // namespace trellis::parse
