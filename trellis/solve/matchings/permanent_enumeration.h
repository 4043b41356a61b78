// The sums of solve/matchings/permanent.h by enumeration, for n ≤ 4: at most 24 permutations, whose
// scores are added up and put through a softmax. Neither allocates nor solves an assignment; a
// matrix of 3×3, as rankings are made of, takes a tenth of a microsecond.
#pragma once

#include <span>

#include "trellis/base/random.h"
#include "trellis/base/types.h"

namespace trellis {

inline constexpr Index kLargestEnumeration = 4;

// Scores are n² by rows, n ≤ kLargestEnumeration; n = 0 has one permutation, of score 0.
double enumerate_log_sum(Index n, std::span<const double> scores);
double enumerate_log_sum(Index n, std::span<const double> scores, std::span<double> marginals);
double enumerate_entropy(Index n, std::span<const double> scores);
void enumerate_draw(Index n, std::span<const double> scores, Random& random,
                    std::span<Label> columns);

}  // namespace trellis
