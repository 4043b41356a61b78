// Topics in a plane: classical scaling (Torgerson 1952) of the square roots of their Jensen–Shannon
// divergences
//
//   JSD(φ_k, φ_l) = H((φ_k + φ_l) / 2) − (H(φ_k) + H(φ_l)) / 2.
//
// √JSD is a metric that embeds into a Euclidean space (Fuglede & Topsøe 2004), so that nothing but
// dimensions is lost. O(K² V) logarithms.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/point.h"

namespace trellis::topics {

double jensen_shannon(std::span<const double> p, std::span<const double> q);  // in nats

// Places with mean 0 whose distances come as near to the square roots of `squared_distances` (n ×
// n, symmetric) as the two leading axes allow.
std::vector<Point> classical_scaling(std::span<const double> squared_distances, Index n);

// `topics` are rows of `num_words` probabilities. Same bits for any number of threads.
std::vector<Point> topic_map(std::span<const double> topics, Index num_words, int threads);

}  // namespace trellis::topics
