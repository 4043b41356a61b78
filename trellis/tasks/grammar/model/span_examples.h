// The examples of a treebank, each the chart of a sentence with the numbers of its features. They
// are large, some thousand times the sentence: those that there is room for are kept, the others
// made anew whenever someone looks at them, so that memory does not grow with the treebank. What is
// made anew is the same to the bit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/parse_forest.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/model/chart_maker.h"
#include "trellis/tasks/grammar/model/span_example.h"
#include "trellis/tasks/grammar/tagging/tag_choices.h"

namespace trellis::grammar {

// Sentences, and what is known of them. Views.
struct ChartedTrees {
  std::span<const ConstituencyTree> trees;
  std::span<const TagChoices> tagger;       // of each; empty: there is no tagger
  std::span<const Derivation> derivations;  // of each, to be in its chart; empty: none need be
};

class SpanExamples {
 public:
  struct Options {
    Index bytes = 0;  // to keep examples in
    int threads = 0;
    std::stop_token stop;
  };

  // All must outlive it. Without numbers (null) the charts have no features.
  SpanExamples(const ChartMaker& maker, const SpanNumbers* numbers, const ChartedTrees& trees,
               const Options& options);
  ~SpanExamples();
  SpanExamples(const SpanExamples&) = delete;
  SpanExamples& operator=(const SpanExamples&) = delete;

  // Makes each of them once, to be kept or not; visit(i, example) in order. It comes before all
  // else. False where it was stopped.
  bool make_all(const std::function<void(Index, const SpanExample&)>& visit);

  Index size() const { return trees_.trees.size(); }
  const ChartedTrees& trees() const { return trees_; }
  const ChartMaker& maker() const { return *maker_; }
  Index num_kept() const { return num_kept_; }
  // Threads may ask at once.
  std::shared_ptr<const SpanExample> get(Index i) const;
  const ParseForest::Output& gold(Index i) const { return gold_[i]; }

 private:
  struct Worker;
  struct Recent {
    Index number = 0;
    std::shared_ptr<const SpanExample> example;
  };

  std::shared_ptr<SpanExample> make(Index i) const;
  std::unique_ptr<Worker> take_worker() const;

  const ChartMaker* maker_;
  const SpanNumbers* numbers_;
  ChartedTrees trees_;
  Options options_;
  std::vector<std::shared_ptr<const SpanExample>> kept_;  // null where there was no room
  Index num_kept_ = 0, bytes_kept_ = 0;
  std::vector<ParseForest::Output> gold_;
  // An example is asked for several times on end: for its structure, its scores, its features.
  mutable std::mutex mutex_;
  mutable std::vector<Recent> recent_;
  mutable Index oldest_ = 0;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace trellis::grammar
