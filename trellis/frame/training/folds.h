// The folds of a cross-validation over exchangeable examples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// The examples of each of K folds, in ascending order: dealt in a random order drawn from the seed.
std::vector<std::vector<Index>> deal_folds(Index num_examples, Index folds, std::uint64_t seed);
// The same, with the examples of each label spread evenly over the folds.
std::vector<std::vector<Index>> deal_folds(std::span<const Label> labels, Index folds,
                                           std::uint64_t seed);
// All of n examples except those of a fold.
std::vector<Index> without(std::span<const Index> fold, Index num_examples);

}  // namespace trellis
