// Which words tell a topic (Sievert & Shirley 2014):
//
//   r(w, k | λ) = λ log φ_kw + (1 − λ) log (φ_kw / p_w),     0 ≤ λ ≤ 1
//
// λ = 1 orders words by how frequent they are in the topic, λ = 0 by how much more frequent than
// elsewhere; people told topics best at about 0.6.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

inline constexpr double kUsualLambda = 0.6;
// A slider goes from 0 to 1 in so many steps.
inline constexpr int kLambdaSteps = 20;

// −∞ where a word is not in the topic. Requires p > 0 where φ > 0.
double relevance(double in_topic, double overall, double lambda);

// The words that are among the `count` most relevant of a topic at one of the slider's λ: all that
// it can show. By their numbers. `in_topic` is φ_k and `overall` p, an entry for each word.
std::vector<Index> relevant_words(std::span<const double> in_topic, std::span<const double> overall,
                                  Index count);

}  // namespace trellis::topics
