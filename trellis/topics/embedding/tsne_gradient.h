// What t-SNE descends along (van der Maaten 2014, section 3):
//
//   KL(P ‖ Q) = Σ_ij p_ij log(p_ij / q_ij),   q_ij = w_ij / Z,  w_ij = 1 / (1 + ‖y_i − y_j‖²),
//   Z = Σ_{i≠j} w_ij
//
//   ∂KL/∂y_i = 4 [ Σ_j p_ij w_ij (y_i − y_j)  −  (1/Z) Σ_j w_ij² (y_i − y_j) ]
//
// The first sum, which pulls, is over the entries of p; the second, which pushes, and Z are by a
// quad tree. O(entries of p + n log n). Same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/affinities.h"
#include "trellis/topics/embedding/point.h"
#include "trellis/topics/embedding/quad_tree.h"

namespace trellis::topics {

struct TsneGradient {
  double normaliser = 0;        // Z
  std::vector<Point> gradient;  // without the factor 4
};

// Of P with every p_ij multiplied by `exaggeration`. θ is the tree's; 0 is exact, and quadratic.
// The tree keeps its memory from call to call.
void tsne_gradient(const Affinities& p, std::span<const Point> places, double exaggeration,
                   double theta, int threads, QuadTree& tree, TsneGradient& out);

// KL(P ‖ Q) with that Z.
double tsne_divergence(const Affinities& p, std::span<const Point> places, double normaliser,
                       int threads);

}  // namespace trellis::topics
