// Charts of a treebank's sentences, and how well weights parse what is held out.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/grammar/model/chart_maker.h"
#include "trellis/tasks/grammar/model/span_example.h"
#include "trellis/tasks/grammar/model/span_model.h"
#include "trellis/tasks/grammar/tree.h"
#include "trellis/tasks/training/training.h"

namespace trellis::grammar {

// Trees, and what a chart of each of their sentences holds.
struct ChartedTreebank {
  std::span<const ConstituencyTree> trees;
  std::span<const SpanExample> examples;
};

// `learned` and `held` (which may be empty) must outlive it, as must the maker.
struct SpanLesson {
  ChartedTreebank learned, held;
  const ChartMaker& maker;  // of the examples' charts
  Index dimension = 0;
};
struct SpanTrainingOptions {
  std::uint64_t seed = 1;
  int threads = 0;
};
std::unique_ptr<Trainable> make_trainable(const SpanLesson& lesson,
                                          const SpanTrainingOptions& options);

}  // namespace trellis::grammar
