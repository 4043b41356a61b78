// The choice of λ: each candidate is trained on one part of the examples and counted on another.
//
// One part is the dev set's, or one of K folds, into which the examples are dealt in an order drawn
// from the seed. What counts is the number of wrong nodes over all parts; of equally good λ the
// largest wins, as the simplest.
//
// The figures of finished runs go to the checkpoint, so that an interrupted choice goes on where it
// was.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/tasks/match/train.h"

namespace trellis::match {

// Trains on the first examples and returns the scores on the second ones; false where it was
// interrupted.
using TrainAndScore = std::function<bool(double lambda, std::span<const Index> train,
                                         std::span<const Index> held_out, MatchScores& scores)>;

// Told of each candidate as soon as it has been tried on all folds; may be empty.
using OnFigure = std::function<void(const LambdaFigure&)>;

// For each candidate, where it stands after all folds. `folds` empty: one part, whose held-out
// examples are up to the caller (the spans are then all examples and none). Returns false where it
// was interrupted; the checkpoint then has what is finished, under "match/".
bool try_lambdas(std::span<const double> lambdas, const std::vector<std::vector<Index>>& folds,
                 Index num_examples, const TrainAndScore& run, Checkpoint& checkpoint,
                 std::vector<LambdaFigure>& figures, const OnFigure& on_figure = {});

// The fewest mistakes, then the largest λ.
double best_lambda(std::span<const LambdaFigure> figures);

// Which examples belong to each of K folds, in ascending order.
std::vector<std::vector<Index>> deal_folds(Index num_examples, Index folds, std::uint64_t seed);

}  // namespace trellis::match
