// The affinities of points in t-SNE (van der Maaten & Hinton 2008, section 2):
//
//   p_{j|i} ∝ exp(−β_i ‖x_i − x_j‖²)  over the neighbours j of i,  β_i such that the perplexity
//   2^{H(p_{·|i})} is the given one;      p_ij = (p_{j|i} + p_{i|j}) / 2n,  Σ_ij p_ij = 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/embedding/neighbours.h"

namespace trellis::topics {

// A symmetric sparse matrix by rows, ids ascending; nothing on the diagonal.
struct Affinities {
  std::vector<std::uint64_t> begin;  // one more than there are points
  std::vector<std::uint32_t> ids;
  std::vector<float> values;

  Index size() const { return begin.size() - 1; }
};

// p with exp(−β d_j) / Σ and a perplexity of e^H, H in nats, within 1e-5 of `perplexity`; returns
// β. Where distances are all the same, or perplexity is not below their number, p is uniform.
double calibrate(std::span<const float> squared_distances, double perplexity, std::span<double> p);

// Points have at least one neighbour.
Affinities affinities(const Neighbours& neighbours, double perplexity, int threads);

}  // namespace trellis::topics
