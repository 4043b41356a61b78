// The examples of a treebank: for each sentence its chart with the numbers of its features. An
// example is about a thousand times as large as its sentence. As many as fit into a given memory
// are kept; the others are made again for each use, with the same bits.
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

// Views of sentences and their data.
struct ChartedTrees {
  std::span<const ConstituencyTree> trees;
  std::span<const TagChoices> tagger;       // for each; empty: there is no tagger
  std::span<const Derivation> derivations;  // to be in each chart; empty: not required
};

class SpanExamples {
 public:
  struct Options {
    Index bytes = 0;  // memory for examples
    int threads = 0;
    std::stop_token stop;
  };

  // All arguments must outlive the object. Without numbers (null) the charts have no features.
  SpanExamples(const ChartMaker& maker, const SpanNumbers* numbers, const ChartedTrees& trees,
               const Options& options);
  ~SpanExamples();
  SpanExamples(const SpanExamples&) = delete;
  SpanExamples& operator=(const SpanExamples&) = delete;

  // Makes every example once and calls visit(i, example) in order. Must be the first call. Returns
  // false if stopped.
  bool make_all(const std::function<void(Index, const SpanExample&)>& visit);

  Index size() const { return trees_.trees.size(); }
  const ChartedTrees& trees() const { return trees_; }
  const ChartMaker& maker() const { return *maker_; }
  Index num_kept() const { return num_kept_; }
  // Thread-safe.
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
  std::vector<std::shared_ptr<const SpanExample>> kept_;  // null if it does not fit
  Index num_kept_ = 0, bytes_kept_ = 0;
  std::vector<ParseForest::Output> gold_;
  // An example is requested several times in a row: for structure, scores and features.
  mutable std::mutex mutex_;
  mutable std::vector<Recent> recent_;
  mutable Index oldest_ = 0;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace trellis::grammar
