// Binary classifiers of many labels over the same rows, by Newton's method. Not a value of
// --learner: it takes rows instead of an oracle, and only tasks with such labels can use it.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "trellis/fit/choose.h"
#include "trellis/learn/batch/newton.h"

namespace trellis {

// `choice` supplies gap and epochs. `constant` and `done` as in newton.h.
inline void fit_newton(const FeatureRows& rows, std::span<const BinaryTask> tasks, BinaryLoss loss,
                       std::optional<Index> constant, const LearnerChoice& choice,
                       LearnControl control,
                       const std::function<void(Index v, LearnSummary summary)>& done) {
  control.gap_tolerance = choice.gap();
  newton(rows, tasks, {loss, choice.values.epochs.value_or(1000), constant}, control, done);
}

}  // namespace trellis
