// Learns weights from the charts of a treebank's sentences, and evaluates them by parsing held-out
// sentences.
#pragma once

#include <cstdint>
#include <memory>

#include "trellis/base/types.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/grammar/model/span_examples.h"

namespace trellis::grammar {

// All arguments must outlive the object; `held` may be null.
struct SpanLesson {
  const SpanExamples* learned = nullptr;
  const SpanExamples* held = nullptr;
  Index dimension = 0;
};
struct SpanTrainableOptions {
  std::uint64_t seed = 1;
  int threads = 0;
};
std::unique_ptr<Trainable> make_trainable(const SpanLesson& lesson,
                                          const SpanTrainableOptions& options);

}  // namespace trellis::grammar
