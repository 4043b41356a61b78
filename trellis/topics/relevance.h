// The most relevant words of a topic (Sievert & Shirley 2014):
//
//   r(w, k | λ) = λ log φ_kw + (1 − λ) log (φ_kw / p_w),     0 ≤ λ ≤ 1
//
// λ = 1 orders words by their frequency in the topic, λ = 0 by the ratio to their overall
// frequency; people recognised topics best at about 0.6.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

inline constexpr double kUsualLambda = 0.6;
// The number of steps of a slider from 0 to 1.
inline constexpr int kLambdaSteps = 20;

// −∞ if the word is not in the topic. Requires p > 0 if φ > 0.
double relevance(double in_topic, double overall, double lambda);

// The numbers of the words that are among the `count` most relevant of a topic at one of the
// slider's λ: all that it can show. `in_topic` is φ_k and `overall` p, with an entry for each word.
std::vector<Index> relevant_words(std::span<const double> in_topic, std::span<const double> overall,
                                  Index count);

}  // namespace trellis::topics
