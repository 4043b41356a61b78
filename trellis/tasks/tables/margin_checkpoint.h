// The state and the result of train_margin in a checkpoint.
#pragma once

#include <vector>

#include "trellis/generative/margin/margin_training.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis::generative {

void put_state(const MarginState& state, Checkpoint& checkpoint);
// Throws InputError unless the state is over `dimension` parameters.
MarginState get_state(const Checkpoint& checkpoint, Index dimension);

void put_history(const std::vector<MarginIteration>& history, Checkpoint& checkpoint);
std::vector<MarginIteration> get_history(const Checkpoint& checkpoint);

// θ, bounds and status, without the history.
void put_result(const MarginResult& result, Checkpoint& checkpoint);
MarginResult get_result(const Checkpoint& checkpoint, Index dimension);

}  // namespace trellis::generative
