// t-SNE (van der Maaten & Hinton 2008): a picture of points of many dimensions, by the gradient of
// Barnes and Hut (van der Maaten 2014).
//
// Minimises KL(P ‖ Q) = Σ p_ij log(p_ij / q_ij) over places y_i in the plane, with p_ij as in
// affinities.h and q_ij as in tsne_gradient.h. Steps have momentum and a gain for each coordinate
// (Jacobs 1988); in the first 250 iterations p is exaggerated 12-fold. The start is the first two
// principal components, scaled down, so that the picture keeps the large-scale shape of the data
// (Kobak & Berens 2019); the step is n / exaggeration (Belkina et al. 2019).
//
// About O(n² D) for the neighbours, once, and O(n (log n + perplexity)) for each iteration. Same
// bits for any number of threads and on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/point.h"

namespace trellis::topics {

struct TsneOptions {
  // The effective number of neighbours; reduced to (n − 1) / 3 if it is larger.
  double perplexity = 30;
  double theta = 0.5;  // of the quad tree; 0 is exact and quadratic
  int iterations = 750;
  std::uint64_t seed = 1;  // of the small noise that separates equal points
  int threads = 1;         // 0: all cores
  // Called during the search for neighbours, and after each iteration; false ends the run with the
  // current places. May be empty.
  std::function<bool(Index points)> on_neighbours;
  std::function<bool(int iteration)> on_iteration;
};

struct TsneRecord {
  int iteration = 0;
  double divergence = 0;  // KL(P ‖ Q), P not exaggerated
};

struct Embedding {
  std::vector<Point> places;        // with mean 0
  std::vector<TsneRecord> history;  // every 50 iterations, and after the last
};

// Rows of `dimensions` values; distances are Euclidean. Throws UsageError if a value is not finite,
// the last row is incomplete, or an option is out of range.
Embedding tsne(std::span<const float> points, Index dimensions, const TsneOptions& options);

// Square roots of mixtures: their Euclidean distances are Hellinger's.
std::vector<float> hellinger_points(std::span<const double> mixtures);

}  // namespace trellis::topics
