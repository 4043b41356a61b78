// Topics in a plane: classical scaling (Torgerson 1952) of the square roots of their Jensen–Shannon
// divergences
//
//   JSD(φ_k, φ_l) = H((φ_k + φ_l) / 2) − (H(φ_k) + H(φ_l)) / 2.
//
// √JSD is a metric that embeds into a Euclidean space (Fuglede & Topsøe 2004), so that nothing but
// dimensions is lost.
//
// Words that neither of two topics has are known together: with c = (r_k + r_l) / 2 (topic_rows.h)
// their terms are −c β_w log(c β_w), whose sum is −c (log c Σβ_w + Σβ_w log β_w). A pair costs a
// logarithm for each word that one of them has.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/point.h"
#include "trellis/topics/topic_rows.h"

namespace trellis::topics {

double jensen_shannon(std::span<const double> p, std::span<const double> q);  // in nats

// n × n, symmetric. `on_topics` is called at intervals with the number of topics compared with all
// earlier ones; if it returns false, the rest stays 0. Same bits for any number of threads.
std::vector<double> jensen_shannon_table(const TopicRows& topics, int threads,
                                         const std::function<bool(Index)>& on_topics = {});

// Places with mean 0 whose distances come as near to the square roots of `squared_distances` (n ×
// n, symmetric) as the two leading axes allow.
std::vector<Point> classical_scaling(std::span<const double> squared_distances, Index n);

// Where topics are many and have many words, by the foremost words of each (foremost_words): a
// thousand of them for a thousand topics, 25 000 for two hundred. Memory: K² numbers.
std::vector<Point> topic_map(const TopicRows& topics, int threads,
                             const std::function<bool(Index)>& on_topics = {});

}  // namespace trellis::topics
